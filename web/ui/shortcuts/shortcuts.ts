/** A key as it was pressed, and where. */
export type ShortcutPress = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  /** Whether what has the keyboard has a use of its own for signs: a field, a list, a dialog. */
  readonly isTaken: boolean
}

/** Keys that run a command wherever the page offers it: `Mod+K`, a sign such as `?`, or two after another, `G H`. */
export type Shortcut = { readonly keys: string; readonly command: string }

/** Every key of the frame and its pages. One listener reads this list, and the sheet shows it: there are no others. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'Mod+K', command: 'palette' },
  { keys: '?', command: 'shortcuts' },
  { keys: 'Mod+/', command: 'shortcuts' },
  { keys: 'G H', command: 'go-home' },
  { keys: 'G S', command: 'go-settings' },
  { keys: 'G A', command: 'go-account' },
  { keys: '[', command: 'fold-sidebar' },
  { keys: 'C', command: 'new-record' },
  { keys: '/', command: 'search-list' },
  { keys: 'F', command: 'filter' },
  { keys: 'S', command: 'sort' },
  { keys: 'E', command: 'export' },
]

/** What a press comes to: a command, the first half of one, or nothing of ours. */
export type ShortcutMeaning = { readonly run: string } | { readonly waitAfter: string } | undefined

const LETTER = /^[A-Z]$/

/** The press as the list writes it; undefined where it can be none of ours. */
function pressedKeys(press: ShortcutPress): string | undefined {
  const key = press.key.length === 1 ? press.key.toUpperCase() : press.key
  // Both together make signs of the third level of some keyboards.
  if (press.altKey || (press.ctrlKey && press.metaKey)) return undefined
  // Signs stand on other keys elsewhere, and are reached with Shift on some of them.
  if (press.shiftKey && LETTER.test(key)) return undefined
  return press.ctrlKey || press.metaKey ? `Mod+${key}` : key
}

/**
 * What a press means, after another that waited for it. Single keys are left alone where they are `isTaken`, and everywhere
 * if whoever sits there has switched them off: speech input and a cat press them, too.
 */
export function meaningOf(
  press: ShortcutPress,
  after: string | undefined,
  areSingleKeysOn: boolean,
  list: readonly Shortcut[] = SHORTCUTS,
): ShortcutMeaning {
  const keys = pressedKeys(press)
  if (keys === undefined) return undefined
  if (!keys.startsWith('Mod+') && (press.isTaken || !areSingleKeysOn)) return undefined
  const both = after === undefined ? undefined : list.find((one) => one.keys === `${after} ${keys}`)
  const found = both ?? list.find((one) => one.keys === keys)
  if (found) return { run: found.command }
  return list.some((one) => one.keys.startsWith(`${keys} `)) ? { waitAfter: keys } : undefined
}

/** The first keys of a command, for the hint beside it. */
export const keysOf = (command: string): string | undefined => SHORTCUTS.find((one) => one.command === command)?.keys
