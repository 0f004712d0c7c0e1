"""There is no class Bot."""


def get_move(board, pieces, player):
    return f"3 {board.index('  ')}"
