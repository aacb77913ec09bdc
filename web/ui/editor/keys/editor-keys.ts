import { IconKeyboard } from '#web/ui/icons/frame.ts'
import { IconMaximize, IconMinimize } from '#web/ui/icons/editor.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { Tool } from '#web/ui/editor/toolbar/toolbar-tools.ts'

/** What is done with the editor itself and not with its text. */
export type OwnTool = 'link' | 'find' | 'keys' | 'fullScreen' | 'toToolbar'

const TEXTS = UI_TEXTS.editor

type Pressed = {
  readonly key: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

const BY_KEYS: Readonly<Record<string, OwnTool>> = {
  'Mod+k': 'link',
  'Mod+f': 'find',
  'Mod+/': 'keys',
  'Mod+Shift+f': 'fullScreen',
  'Alt+F10': 'toToolbar',
}

/** Which of them these keys mean, if any. */
export function keyPressed({ key, metaKey, ctrlKey, shiftKey, altKey }: Pressed): OwnTool | undefined {
  const held = [(metaKey || ctrlKey) && 'Mod', shiftKey && 'Shift', altKey && 'Alt'].filter(Boolean)
  return BY_KEYS[[...held, key.length === 1 ? key.toLowerCase() : key].join('+')]
}

/** Those that stand in the menu at the end of the toolbar. */
export const ownTools = (run: (tool: OwnTool) => void, isFull: boolean): readonly Tool[] => [
  { name: 'find', label: TEXTS.find, icon: IconSearch, keys: 'Mod+F', use: () => run('find') },
  {
    name: 'full-screen',
    label: isFull ? TEXTS.leaveFullScreen : TEXTS.fullScreen,
    icon: isFull ? IconMinimize : IconMaximize,
    keys: 'Mod+Shift+F',
    use: (editor) => {
      run('fullScreen')
      editor.commands.focus()
    },
  },
  { name: 'keys', label: TEXTS.shortcuts, icon: IconKeyboard, keys: 'Mod+/', use: () => run('keys') },
]
