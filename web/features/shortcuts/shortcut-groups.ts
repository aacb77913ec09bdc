import { EDITOR_KEYS } from '#web/ui/editor/editor-key-list.ts'
import { GRID_KEYS } from '#web/ui/grid/keyboard/grid-key-list.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { SHORTCUTS } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'

export type ShortcutRow = { readonly keys: readonly string[]; readonly does: string }

export type ShortcutGroup = { readonly name: string; readonly lines: readonly ShortcutRow[] }

const COMMANDS: readonly { readonly name: string; readonly does: Readonly<Record<string, string>> }[] = [
  {
    name: t('Everywhere'),
    does: {
      palette: t('Search and commands'),
      shortcuts: t('Keyboard shortcut list'),
      'go-home': t('Go home'),
      'go-settings': t('Go to settings'),
      'go-account': t('Go to account'),
      'fold-sidebar': t('Hide or show the sidebar'),
    },
  },
  {
    name: t('In a list'),
    does: {
      'new-record': t('New record'),
      'search-list': t('Search this list'),
      filter: t('Filter'),
      sort: t('Sort'),
      export: t('Export'),
    },
  },
]

const SEARCH: readonly ShortcutRow[] = [
  { keys: ['Enter'], does: t('Next match') },
  { keys: ['Shift+Enter'], does: t('Previous match') },
]

/** Keys are handled by `stepOfKey`. */
const RECORD: readonly ShortcutRow[] = [
  { keys: ['J', 'Alt+J'], does: t('Next record') },
  { keys: ['K', 'Alt+K'], does: t('Previous record') },
  { keys: ['Escape'], does: t('Close the side panel') },
  { keys: ['Mod+Shift+D'], does: t('Duplicate the record (from its list)') },
]

const keysOfCommand = (command: string): string[] =>
  SHORTCUTS.filter((one) => one.command === command).map(({ keys }) => keys)

/** Maps the file viewer's key labels to key names. */
const VIEWER_KEY_LABELS: Readonly<Record<string, string>> = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '+': 'Plus',
  Esc: 'Escape',
}

export const shortcutGroups = (): readonly ShortcutGroup[] => [
  ...COMMANDS.map(({ name, does }) => ({
    name,
    lines: Object.entries(does).map(([command, words]) => ({ keys: keysOfCommand(command), does: words })),
  })),
  { name: t('In the search field of a list'), lines: SEARCH },
  { name: t('In an open record'), lines: RECORD },
  { name: t('In the grid'), lines: GRID_KEYS },
  { name: t('Text editor'), lines: EDITOR_KEYS.map(([does, keys]) => ({ keys: [keys], does })) },
  {
    name: t('File viewer'),
    lines: UI_TEXTS.fileViewer.keyList.map(([keys, does]) => ({
      keys: keys.map((key) => VIEWER_KEY_LABELS[key] ?? key),
      does,
    })),
  },
]
