/** `node scripts/check-bundle.ts`: how much JavaScript each page of the built interface needs; fails over a budget. */
import type { Tally } from './tally.ts'
import { MOST_KILOBYTES, WEIGHED, weighPage } from './weigh-web.ts'

type Line = { readonly page: string; readonly text: string; readonly isOver: boolean }

const PAGES = Object.keys(WEIGHED) as (keyof typeof WEIGHED)[]

function lineOf(page: keyof typeof WEIGHED): Line {
  const { kilobytes, files } = weighPage(page)
  const most = MOST_KILOBYTES[page]
  const isOver = most !== undefined && kilobytes > most
  const promise = most === undefined ? '' : `at most ${most}${isOver ? ': OVER' : ''}`
  const figures = `${kilobytes.toFixed(1).padStart(6)} kB in ${String(files).padStart(3)} files`
  return { page, isOver, text: `${page.padEnd(7)} ${figures}  ${promise}`.trimEnd() }
}

/** Prints the weights and tells which are over their budget. */
export function checkBundle(): Tally & { readonly suite: string } {
  const lines = PAGES.map(lineOf)
  console.log(lines.map(({ text }) => text).join('\n'))
  const over = lines.filter(({ isOver }) => isOver)
  return {
    suite: 'weight of the interface',
    passed: lines.length - over.length,
    failed: over.length,
    skipped: 0,
    failures: over.map(({ page }) => page),
  }
}

if (import.meta.main) process.exitCode = checkBundle().failed === 0 ? 0 : 1
