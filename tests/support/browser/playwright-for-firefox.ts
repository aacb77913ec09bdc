/**
 * Loaded into Playwright's processes, whose code expects a newer Firefox than the released one. Preloaded, because
 * Playwright reads its own code before the configuration.
 */
import { registerHooks } from 'node:module'

/** Playwright's source code, and the replacement that a released Firefox supports. */
const REPLACEMENTS: readonly (readonly [before: string, after: string])[] = [
  // Not supported by the released Firefox; `FIREFOX_PREFERENCES` sets the same options.
  ['"emulation.setMediaFeaturesOverride"', '"session.status"'],
  // React ignores values that are assigned rather than typed.
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
