/**
 * `npm run check` runs the quick tier, `npm test` the daily tier, and `npm run test:full` or `npx vitest` all tests.
 */
const tier = process.env['TEST_TIER'] ?? 'full'

export const IS_QUICK = tier === 'quick'
export const IS_DAILY = tier === 'daily'

const SHARE = IS_QUICK || IS_DAILY ? 8 : 1

/** Number of runs of a generated test in this tier: an eighth in the quick and daily tiers. */
export const perTier = (count: number): number => Math.ceil(count / SHARE)
