"""Friendly: places its cups while it can, then moves them."""


class Bot:
    def get_move(self, board, pieces, player):
        hand = pieces.split(",")[0 if player == "X" else 1][1:]
        sources = [(cup, cup) for cup in sorted(set(hand), reverse=True)]
        sources += [(f"9{cell}", board[cell][1]) for cell in range(9) if board[cell][0] == player]
        for source, size in sources:
            for cell in (4, 0, 8, 2, 6, 1, 3, 5, 7):
                if source != f"9{cell}" and (board[cell][1] == " " or board[cell][1] < size):
                    return f"{source} {cell}"
