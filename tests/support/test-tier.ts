/**
 * `npm run check` runs the quick tier, `npm test` the daily tier, and `npm run test:full` or `npx vitest` all tests.
 */
const tier = process.env['TEST_TIER'] ?? 'full'

export const IS_QUICK = tier === 'quick'
export const IS_DAILY = tier === 'daily'

const SHARE = IS_QUICK ? 4 : IS_DAILY ? 3 : 1

/** Number of runs of a generated test in this tier: a third in the daily tier, a quarter in the quick tier. */
export const perTier = (count: number): number => Math.ceil(count / SHARE)
