import type { SessionState } from './session-state.ts'

/**
 * Somebody else is signed in now than the one this page shows. Everything of the old one is dropped at once, nothing is
 * asked any more, and the page starts anew as the new one.
 */
export function reloadPage(state: SessionState): void {
  state.beginRestoring()
  window.location.reload()
}
