import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** Rules of axe that are advice, and that the dialogs and notices of the kit do not take. */
const ADVICE = ['region', 'landmark-no-duplicate-banner', 'landmark-unique']

type Rules = { readonly [rule: string]: { readonly enabled: boolean } }

const without = (rules: readonly string[]): Rules => Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]))

/** What axe finds on the page as it stands: one line a rule, with the places. */
export async function axeFindings(page: Page, advice: readonly string[] = ADVICE): Promise<string[]> {
  return findingsBy(page, without(advice))
}

/** The same, with whatever one presses that is smaller than 24 pixels and too near to others. */
export async function axeFindingsWithTargets(page: Page): Promise<string[]> {
  return findingsBy(page, { ...without(ADVICE), 'target-size': { enabled: true } })
}

/**
 * Axe comes once into each document, judges there, and gives what is wrong alone: what is right is most of what it knows,
 * and to hand that over took ten times as long as to judge.
 */
async function findingsBy(page: Page, rules: Rules): Promise<string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
  return page.evaluate(async (chosen) => {
    // What is still fading in has the contrast of the moment. What goes on for longer is no way in.
    const comesIn = ({ effect }: Animation): boolean => Number(effect?.getComputedTiming().endTime) <= 1000
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(comesIn)
        .map(({ finished }) => finished),
    )
    // What the lines above brought into the page.
    const { axe: judge } = window as unknown as { readonly axe: typeof axe }
    const { violations } = await judge.run(document, { rules: chosen, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, rules)
}
