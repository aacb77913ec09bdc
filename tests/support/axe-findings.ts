import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Rules of axe that are advice, and that the dialogs and notices of the kit do not take. */
const ADVICE = ['region', 'landmark-no-duplicate-banner', 'landmark-unique']

/** What axe finds on the page as it stands: one line a rule, with the places. */
export async function axeFindings(page: Page, advice: readonly string[] = ADVICE): Promise<string[]> {
  return findingsOf(new AxeBuilder({ page }).disableRules([...advice]))
}

/** The same, with whatever one presses that is smaller than 24 pixels and too near to others. */
export async function axeFindingsWithTargets(page: Page): Promise<string[]> {
  const targets = { rules: { 'target-size': { enabled: true } } }
  return findingsOf(new AxeBuilder({ page }).options(targets).disableRules([...ADVICE]))
}

async function findingsOf(judge: AxeBuilder): Promise<string[]> {
  const { violations } = await judge.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
