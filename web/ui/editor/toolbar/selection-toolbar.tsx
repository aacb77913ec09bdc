import { Toolbar } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type Editor, posToDOMRect } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { useEditorState } from '@tiptap/react'
import { type RefObject, useEffect, useState } from 'react'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { Floating } from './floating.tsx'
import { LinkTool } from './link-tool.tsx'
import { ToolButton } from './tool-button.tsx'
import { TOOL_GROUPS } from './toolbar-tools.ts'

const MARKS = TOOL_GROUPS.marks

/** What the bar must know of the editor, as one text that changes when any of it does; nothing where there is no bar. */
function stateOf(editor: Editor): string | undefined {
  const { selection, doc } = editor.state
  const hasWords = selection instanceof TextSelection && doc.textBetween(selection.from, selection.to).trim() !== ''
  if (!hasWords || !editor.isEditable || selection.$from.parent.type.spec.code) return undefined
  const on = MARKS.filter((tool) => tool.isOn?.(editor)).map(({ name }) => name)
  return `${selection.from} ${selection.to} ${on.join(' ')}`
}

/** Whether the keyboard is in the frame, and no button of the mouse is down that is still selecting. */
function useIsAtRest(frame: RefObject<HTMLElement | null>): boolean {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const isIn = (target: EventTarget | null) => target instanceof Node && element.contains(target)
    let isDown = false
    const judge = () => setAtRest(!isDown && isIn(document.activeElement))
    const press = ({ target }: PointerEvent) => {
      isDown = isIn(target) && !(target instanceof Element && target.closest('[role="toolbar"]'))
      judge()
    }
    const release = () => {
      isDown = false
      judge()
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('pointerdown', press, { signal })
    document.addEventListener('pointerup', release, { signal })
    document.addEventListener('pointercancel', release, { signal })
    document.addEventListener('focusin', judge, { signal })
    element.addEventListener('focusout', ({ relatedTarget }) => isIn(relatedTarget) || setAtRest(false), { signal })
    return () => listening.abort()
  }, [frame])
  return isAtRest
}

type SelectionBarProps = {
  readonly editor: Editor
  readonly frame: RefObject<HTMLElement | null>
  readonly isLinkOpen: boolean
  readonly onLinkOpen: (isOpen: boolean) => void
}

/** The marks, beside what is selected; by Alt+F10 the keyboard comes into it. */
export function SelectionBar({ editor, frame, isLinkOpen, onLinkOpen }: SelectionBarProps) {
  const state = useEditorState({ editor, selector: ({ editor: now }) => stateOf(now) })
  const isAtRest = useIsAtRest(frame)
  // The menu of the system stands above what a finger selects.
  const isFinger = useMediaQuery('(pointer: coarse)')
  if (state === undefined || !isAtRest || isLinkOpen) return null

  const on = state.split(' ')
  const { from, to } = editor.state.selection
  return (
    <Floating place={() => posToDOMRect(editor.view, from, to)} side={isFinger ? 'below' : 'above'}>
      {(placed) => (
        <div {...placed} className="editor-bubble">
          <Toolbar className="editor-toolbar" variant="light" withBorder={false} aria-label={UI_TEXTS.editor.bubble}>
            {MARKS.map((tool) => (
              <ToolButton key={tool.name} tool={tool} editor={editor} isOn={on.includes(tool.name)} />
            ))}
            <LinkTool editor={editor} isOpen={isLinkOpen} onOpen={onLinkOpen} />
          </Toolbar>
        </div>
      )}
    </Floating>
  )
}
