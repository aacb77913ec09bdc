/** In UTF-16 units; formulas are part of the definition, which every client loads. */
export const MAX_FORMULA_LENGTH = 4_000

/** Nesting of parentheses, functions and operators, also through other formula fields; SQLite allows 1,000. */
export const MAX_FORMULA_DEPTH = 100

/** Operations after formula fields have been replaced by their formulas. */
export const MAX_FORMULA_SIZE = 1_000

/** In code points; a longer result is empty. */
export const MAX_FORMULA_TEXT = 100_000

/** Results at or above this are empty; below its reciprocal, they are zero. */
export const MAX_FORMULA_NUMBER = 1e100

export const MAX_ARGUMENTS = 100
