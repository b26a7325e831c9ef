"""What HoistExpression may move."""
import enum


class HoistedConditionals(enum.Flag):
    """Which conditions HoistExpression moves."""

    Never = 0
    IfElseStmt = 1
    IfElseExpr = 2
    BooleanExpression = 4
    UsingBlockVar = 8
    All = IfElseStmt | IfElseExpr | BooleanExpression | UsingBlockVar


class HoistedLetBindings(enum.Flag):
    """Which bindings HoistExpression moves."""

    Never = 0
    RequiredByConditional = 1
    LetStmt = 2
    LetExpr = 4
    All = RequiredByConditional | LetStmt | LetExpr
