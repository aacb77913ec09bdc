/** `node scripts/check-bundle.ts`: checks the JavaScript size per page of the built UI against its limit. */
import type { TestSummary } from './testing/test-summary.ts'
import { MAX_KILOBYTES, MEASURED_PAGES, measurePage } from './bundle-size.ts'

type Line = { readonly page: string; readonly text: string; readonly isOver: boolean }

const PAGES = Object.keys(MEASURED_PAGES) as (keyof typeof MEASURED_PAGES)[]

function lineOf(page: keyof typeof MEASURED_PAGES): Line {
  const { kilobytes, files } = measurePage(page)
  const max = MAX_KILOBYTES[page]
  const isOver = max !== undefined && kilobytes > max
  const promise = max === undefined ? '' : `at most ${max}${isOver ? ': OVER' : ''}`
  const figures = `${kilobytes.toFixed(1).padStart(6)} kB in ${String(files).padStart(3)} files`
  return { page, isOver, text: `${page.padEnd(7)} ${figures}  ${promise}`.trimEnd() }
}

/** Prints the size of each page; fails if a page exceeds its limit. */
export function checkBundle(): TestSummary & { readonly suite: string } {
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
