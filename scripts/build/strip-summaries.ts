import type { Plugin } from 'vite'

/** What an endpoint says of itself, as it stands in `api/`: a line or two with one text. */
const SUMMARY = /^ {2}summary:\s+(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),\n/gm

/** The source of a file of `api/` without what its endpoints say of themselves. */
export const stripSummaryLines = (source: string): string => source.replaceAll(SUMMARY, '')

/**
 * Leaves out of the browser what endpoints say of themselves: it stands in the description of the HTTP interface, and
 * nobody reads it in a page.
 */
export function stripSummaries(): Plugin {
  return {
    name: 'without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/api\/[\w-]+\.ts$/ },
      handler: (source) => ({ code: stripSummaryLines(source), map: null }),
    },
  }
}
