import './shortcut-hint.css'

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

function shortcutKeys(keys: string, mac = isMac): string[] {
  const names = mac ? MAC_NAMES : OTHER_NAMES
  return keys.split(/[+ ]/).map((key) => names[key] ?? ARROWS[key] ?? key)
}

export function ariaShortcut(keys: string, mac = isMac): string {
  return keys.replace('Mod', mac ? 'Meta' : 'Control')
}

/** A shortcut as text for screen readers and search, such as `Ctrl Shift 8`. */
export const shortcutWords = (keys: string, mac = isMac): string =>
  keys
    .split(/[+ ]/)
    .map((key) => (key === 'Mod' ? (mac ? 'Command' : 'Ctrl') : key.replace('Arrow', 'Arrow ')))
    .join(' ')

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
  readonly lines: readonly { readonly keys: readonly string[]; readonly does: string }[]
  readonly className?: string
}

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

export type ShortcutPress = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly isTaken: boolean
}

/** Keys of a command that the page registers: `Mod+K`, a symbol such as `?`, or a sequence such as `G H`. */
type Shortcut = { readonly keys: string; readonly command: string }

/** All shortcuts in the app, used by the global key listener and the list of shortcuts. */
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

type ShortcutMeaning = { readonly run: string } | { readonly waitAfter: string } | undefined

const LETTER = /^[A-Z]$/

function pressedKeys(press: ShortcutPress): string | undefined {
  const key = press.key.length === 1 ? press.key.toUpperCase() : press.key
  // On some keyboards, Ctrl+Alt types AltGr characters.
  if (press.altKey || (press.ctrlKey && press.metaKey)) return undefined
  // The position of symbols, and whether they need Shift, depends on the keyboard layout.
  if (press.shiftKey && LETTER.test(key)) return undefined
  return press.ctrlKey || press.metaKey ? `Mod+${key}` : key
}

/**
 * Resolves a key press, including the pending first key of a sequence. Ignores single keys if `isTaken`, and for users
 * who disabled them because speech input triggers them.
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

export const keysOf = (command: string): string | undefined => SHORTCUTS.find((one) => one.command === command)?.keys

const MIRRORED: { readonly [key: string]: string } = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

export const mirroredKey = (key: string): string => MIRRORED[key] ?? key

export const keyInTextDirection = (key: string): string => (document.dir === 'rtl' ? mirroredKey(key) : key)
