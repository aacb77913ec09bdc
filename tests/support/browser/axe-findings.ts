import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** Best-practice rules that the design system's dialogs and notices deliberately violate. */
const ADVICE = ['region', 'landmark-no-duplicate-banner', 'landmark-unique']

type Rules = { readonly [rule: string]: { readonly enabled: boolean } }

const without = (rules: readonly string[]): Rules => Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]))

/** Returns one line per violated rule, with the affected elements. */
export async function axeFindings(page: Page, advice: readonly string[] = ADVICE): Promise<string[]> {
  return findingsBy(page, without(advice))
}

/** Also reports targets that are smaller than 24 pixels and too close to others. */
export async function axeFindingsWithTargets(page: Page): Promise<string[]> {
  return findingsBy(page, { ...without(ADVICE), 'target-size': { enabled: true } })
}

/**
 * Loads axe once per document and returns only violations, because also returning passed rules takes ten times as long.
 */
async function findingsBy(page: Page, rules: Rules): Promise<string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
  return page.evaluate(async (chosen) => {
    // Waits for fade-ins, which affect contrast; ignores animations longer than a second.
    const comesIn = ({ effect }: Animation): boolean => Number(effect?.getComputedTiming().endTime) <= 1000
    const fadeIns = document.getAnimations().filter(comesIn)
    // An animation of an element that isn't rendered never finishes.
    const longEnough = new Promise((resolve) => setTimeout(resolve, 3000))
    await Promise.race([Promise.allSettled(fadeIns.map(({ finished }) => finished)), longEnough])
    // `axe` was loaded above.
    const { axe: checker } = window as unknown as { readonly axe: typeof axe }
    const { violations } = await checker.run(document, { rules: chosen, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, rules)
}
