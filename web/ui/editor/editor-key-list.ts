import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { LINE_TOOLS, TOOL_GROUPS } from '#web/ui/editor/toolbar/toolbar-tools.ts'

const TEXTS = UI_TEXTS.editor

const OTHERS: readonly (readonly [string, string])[] = [
  [TEXTS.link, 'Mod+K'],
  [TEXTS.undo, 'Mod+Z'],
  [TEXTS.redo, 'Mod+Shift+Z'],
  [TEXTS.slashMenu, '/'],
  [TEXTS.tickTask, 'Mod+Enter'],
  [TEXTS.pastePlain, 'Mod+Shift+V'],
  [TEXTS.find, 'Mod+F'],
  [TEXTS.fullScreen, 'Mod+Shift+F'],
  [TEXTS.toToolbar, 'Alt+F10'],
  [TEXTS.shortcuts, 'Mod+/'],
]

const { marks, indents, clearing } = TOOL_GROUPS

export const EDITOR_KEYS: readonly (readonly [string, string])[] = [...marks, ...LINE_TOOLS, ...indents, ...clearing]
  .flatMap(({ label, keys }) => (keys === undefined ? [] : [[label, keys] as const]))
  .concat(OTHERS)
