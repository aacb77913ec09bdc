/**
 * Preloaded into Playwright's processes to patch its code, which expects a newer Firefox than the released one. The
 * configuration file would be loaded too late for that.
 */
import { registerHooks } from 'node:module'

/** Parts of Playwright's source code, and replacements that work with the released version of Firefox. */
const REPLACEMENTS: readonly (readonly [before: string, after: string])[] = [
  // The released Firefox doesn't support this command; `FIREFOX_PREFERENCES` sets the same options.
  ['"emulation.setMediaFeaturesOverride"', '"session.status"'],
  // React ignores values that are assigned instead of typed.
  [
    'function bidiInsertText(window, text) {',
    "function bidiInsertText(window, text) { if (window.document.execCommand('insertText', false, text)) return;",
  ],
]

function adapt(source: string): string {
  return REPLACEMENTS.reduce((code, [before, after]) => {
    if (!code.includes(before)) throw new Error(`Playwright no longer contains ${before}`)
    return code.replaceAll(before, after)
  }, source)
}

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const { source } = loaded
    if (!url.endsWith('/playwright-core/lib/coreBundle.js') || !source) return loaded
    return { ...loaded, source: adapt(typeof source === 'string' ? source : new TextDecoder().decode(source)) }
  },
})
