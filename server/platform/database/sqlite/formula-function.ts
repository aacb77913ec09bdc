/** Changes whenever the meaning of an operation of formulas changes. */
const FORMULA_VERSION = 3

/**
 * SQLite's function that evaluates formulas. Its name contains the versions of the operations and of Node.js, whose time
 * zones and Unicode tables they use: an index contains results of the function with the same name only, and others are
 * dropped before the first write.
 */
export const SQLITE_FORMULA_FUNCTION = `dossier_formula_${FORMULA_VERSION}_${process.versions.node.replaceAll('.', '_')}`
