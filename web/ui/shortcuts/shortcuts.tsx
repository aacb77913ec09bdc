import './shortcut-hint.css'

/** Whether the keys of a Mac are meant; asked once, since a keyboard does not change its maker. */
const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

const MAC_NAMES: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Alt: '⌥',
  Shift: '⇧',
  Control: '⌃',
  Enter: '↩',
  Escape: 'esc',
}
const OTHER_NAMES: Readonly<Record<string, string>> = { Mod: 'Ctrl', Control: 'Ctrl', Escape: 'Esc' }
const ARROWS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Plus: '+',
}

/** The keys of a shortcut such as `Mod+Shift+8`, or `G H` one after the other, as they are printed on the keyboard. */
function shortcutKeys(keys: string, mac = isMac): string[] {
  const names = mac ? MAC_NAMES : OTHER_NAMES
  return keys.split(/[+ ]/).map((key) => names[key] ?? ARROWS[key] ?? key)
}

/** The same shortcut as `aria-keyshortcuts` wants it. */
export function ariaShortcut(keys: string, mac = isMac): string {
  return keys.replace('Mod', mac ? 'Meta' : 'Control')
}

/** The same shortcut in words, to be read aloud and searched: `Ctrl Shift 8`. */
export const shortcutWords = (keys: string, mac = isMac): string =>
  keys
    .split(/[+ ]/)
    .map((key) => (key === 'Mod' ? (mac ? 'Command' : 'Ctrl') : key.replace('Arrow', 'Arrow ')))
    .join(' ')

/** Shows the keys of a shortcut, quietly, beside what they do. For the ear use `ariaShortcut` on the control itself. */
export function ShortcutHint({ keys }: { keys: string }) {
  return (
    <span className="shortcut-hint" aria-hidden>
      {shortcutKeys(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}

type ShortcutListProps = {
  /** What each does, with all the keys that do it. */
  readonly lines: readonly { readonly keys: readonly string[]; readonly does: string }[]
  readonly className?: string
}

/** Shortcuts one below the other: seen as keys, heard as words. */
export const ShortcutList = ({ lines, className }: ShortcutListProps) => (
  <dl className={className}>
    {lines.map(({ keys, does }) => (
      <div key={`${does} ${keys.join()}`}>
        <dt>{does}</dt>
        <dd>
          {keys.map((one) => (
            <span key={one}>
              <span className="visually-hidden">{shortcutWords(one)}</span>
              <ShortcutHint keys={one} />
            </span>
          ))}
        </dd>
      </div>
    ))}
  </dl>
)

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
type Shortcut = { readonly keys: string; readonly command: string }

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
type ShortcutMeaning = { readonly run: string } | { readonly waitAfter: string } | undefined

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

const MIRRORED: { readonly [key: string]: string } = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** The same key in a page that is read from right to left, where what comes next stands to the left. */
export const mirroredKey = (key: string): string => MIRRORED[key] ?? key

/** A key as it is meant where the page is read. */
export const keyInTextDirection = (key: string): string => (document.dir === 'rtl' ? mirroredKey(key) : key)
