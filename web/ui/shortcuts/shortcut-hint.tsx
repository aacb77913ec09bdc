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
