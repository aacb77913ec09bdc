/**
 * The group of blocks that may also stand in a list item or a quote: everything but headings, rules and tables. A block
 * that is added takes part by naming it.
 */
export const NESTED = 'block nested'
