"""Just enough of the rules to play legal moves, written from the pages in docs/. A move is a list
of pairs: of row and column, of column and row in connect6, of what and where in cuptactoe."""
import random

EIGHT = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
FOUR = [(-1, 0), (0, -1), (0, 1), (1, 0)]


class Grid:
    """What games share: cells with 0 empty, 1 and 2 the players', -1 out of play; who moves."""
    size = 8

    def __init__(self, settings, cells=None, mover=1):
        self.settings = settings
        self.cells = list(cells) if cells else self.first()
        self.mover = mover
        self.random = random.Random(0)

    def at(self, row, col):
        inside = 0 <= row < self.size and 0 <= col < self.size
        return self.cells[row * self.size + col] if inside else -1

    def pairs(self, value):
        return [divmod(n, self.size) for n, cell in enumerate(self.cells) if cell == value]

    def read(self, text):
        return [tuple(int(number) for number in pair.split(",")) for pair in text.split()]

    def write(self, move):
        return " ".join(f"{a},{b}" for a, b in move)

    def choose(self):
        """The last legal move, since a referee that helps out plays the first."""
        return self.moves()[-1]


class Reversi(Grid):
    def first(self):
        cells = [0] * 64
        if self.settings.get("board") == "othello":
            cells[27] = cells[36] = 2
            cells[28] = cells[35] = 1
        else:
            cells[0] = cells[7] = cells[56] = cells[63] = -1
        return cells

    def flips(self, row, col):
        found = []
        for down, right in EIGHT:
            run, r, c = [], row + down, col + right
            while self.at(r, c) == 3 - self.mover:
                run.append((r, c))
                r, c = r + down, c + right
            found += run if self.at(r, c) == self.mover else []
        return found

    def moves(self):
        free = self.cells[0] == -1  # the open board
        return [[(r, c)] for r, c in self.pairs(0)
                if free and 1 <= r <= 6 and 1 <= c <= 6 or self.flips(r, c)]

    def play(self, move):
        for r, c in self.flips(*move[0]) + move:
            self.cells[r * 8 + c] = self.mover
        self.mover = 3 - self.mover
        if not self.moves():
            self.mover = 3 - self.mover


class Tower4(Grid):
    size = 6

    def first(self):
        cut = 3 if self.settings.get("corners", "3") == "3" else 1
        layer = [-1 if min(r, 5 - r) + min(c, 5 - c) < (2 if cut == 3 else 1) else 0
                 for r in range(6) for c in range(6)]
        return layer * 6

    def moves(self):
        return [[divmod(n, 6)] for n in range(36) if self.cells[180 + n] == 0]

    def play(self, move):
        column = move[0][0] * 6 + move[0][1]
        low = next(n for n in range(column, 216, 36) if self.cells[n] == 0)
        self.cells[low] = self.mover
        self.mover = 3 - self.mover


class Hopchess(Grid):
    def first(self):
        cells = [0] * 64
        for r, c in ((0, 0), (2, 0), (4, 0), (6, 0), (1, 1), (3, 1), (5, 1), (2, 2), (4, 2)):
            cells[r * 8 + c] = 1
            cells[63 - r * 8 - c] = 2
        return cells

    def hops(self, path, jumped):
        """Paths that go on from this one, up to four hops; no piece is hopped twice."""
        (r0, c0), (r, c) = path[0], path[-1]
        for down, right in FOUR:
            over, to = (r + down, c + right), (r + 2 * down, c + 2 * right)
            if (self.at(*over) in (1, 2) and self.at(*to) == 0 and over not in jumped | {(r0, c0)}
                    and len(path) < 5):
                yield path + [to]
                yield from self.hops(path + [to], jumped | {over})

    def moves(self):
        found = []
        for r, c in self.pairs(self.mover):
            found += [[(r, c), (r + down, c + right)] for down, right in FOUR
                      if self.at(r + down, c + right) == 0]
            found += self.hops([(r, c)], set())
        return found

    def choose(self):
        return self.random.choice(self.moves())

    def read(self, text):
        return [] if text == "pass" else super().read(text)

    def play(self, move):
        for (r, c), (r2, c2) in zip(move, move[1:]):
            over = (r + r2) // 2 * 8 + (c + c2) // 2
            if abs(r - r2) + abs(c - c2) == 2 and self.cells[over] != self.mover:
                self.cells[over] = 0
            self.cells[r * 8 + c], self.cells[r2 * 8 + c2] = 0, self.mover
        self.mover = 3 - self.mover
        if not self.moves():
            self.mover = 3 - self.mover


class Connect6(Grid):
    def first(self):
        self.size = int(self.settings.get("size", "19"))
        self.stones = 0
        cells = [0] * self.size ** 2
        if (blocks := self.settings.get("blocks", "none")) != "none":
            for x, y in self.read(blocks):
                cells[y * self.size + x] = -1
        return cells

    def moves(self):
        return [[(x, y)] for y, x in self.pairs(0)]

    def play(self, move):
        (x, y), = move
        if self.at(y, x) != 0:
            raise ValueError(f"{x},{y} is not free")
        self.cells[y * self.size + x] = self.mover
        self.stones += 1
        self.mover = 1 if (self.stones + 1) // 2 % 2 == 0 else 2


class Cuptactoe(Grid):
    """A cell is its cups from the top down, (player, size); a line or a lift that loses is not
    seen, since nobody is asked after it."""
    size = 3

    def first(self):
        return [[] for _ in range(9)]

    def hand(self, cup):
        on_board = sum(stack.count((self.mover, cup)) for stack in self.cells)
        return 2 - on_board

    def moves(self):
        sources = [(cup, cup) for cup in (1, 2, 3) if self.hand(cup) > 0]
        sources += [(90 + n, stack[0][1]) for n, stack in enumerate(self.cells)
                    if stack and stack[0][0] == self.mover]
        return [[(source, n)] for source, cup in sources for n, stack in enumerate(self.cells)
                if not stack or stack[0][1] < cup]

    def choose(self):
        return self.random.choice(self.moves())

    def read(self, text):
        return [tuple(int(number) for number in text.split())]

    def write(self, move):
        return f"{move[0][0]} {move[0][1]}"

    def play(self, move):
        (source, to), = move
        cup = self.cells[source - 90].pop(0) if source >= 90 else (self.mover, source)
        self.cells[to].insert(0, cup)
        self.mover = 3 - self.mover


GAMES = {"reversi": Reversi, "tower4": Tower4, "hopchess": Hopchess, "connect6": Connect6,
         "cuptactoe": Cuptactoe}
