import type { Plugin } from 'vite'

/** An endpoint's summary property: a string literal on one or two lines. */
const SUMMARY = /^ {2}summary:\s+(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),\n/gm

export const stripSummaryLines = (source: string): string => source.replaceAll(SUMMARY, '')

/** Removes endpoint summaries from the browser build; only the API description uses them. */
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
