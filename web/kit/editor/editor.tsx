import { Input } from '@mantine/core'
import { EditorContent, type JSONContent, type Editor as TiptapEditor, useEditor } from '@tiptap/react'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { InsideContext } from '../document-inside.ts'
import type { RichTextDocument } from '../document-node.ts'
import '../document.css'
import { KIT_TEXTS } from '../kit-texts.ts'
import { compactDocument, isEmptyDocument } from './compact-document.ts'
import './editor.css'
import { type EditorInside, UploadDrawing } from './editor-inside.ts'
import { editorExtensions } from './extensions.ts'
import { LinkPanel } from './link-tool.tsx'
import { EditorToolbar } from './toolbar.tsx'
import { useEditorInside, useUploadsOf } from './use-editor-inside.ts'

/** A rich-text field. */
export type EditorProps = {
  /** The document, or null for an empty field. A value other than the last one given to `onChange` replaces it. */
  readonly value: RichTextDocument | null
  /** Called after each change, with null once nothing is left. */
  readonly onChange: (value: RichTextDocument | null) => void
  /** The name of the field, shown above it unless `isLabelHidden`. */
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly onBlur?: () => void
  /** What stands inside the document, and how files and mentions come into it; without it there are none. */
  readonly inside?: EditorInside | undefined
}

const EMPTY: RichTextDocument = { type: 'doc', content: [{ type: 'paragraph' }] }

function contentOf(value: RichTextDocument | null): JSONContent {
  // Tiptap reads the document only; its type merely forgets to say so.
  return (value ?? EMPTY) as JSONContent
}

function documentOf(editor: TiptapEditor): RichTextDocument | null {
  // The schema of the editor knows exactly these nodes, marks and attributes.
  const document = compactDocument(editor.getJSON() as RichTextDocument)
  return isEmptyDocument(document) ? null : document
}

/** Edits a document with exactly the specification's tools. Load it through LazyEditor: it is the heaviest widget. */
export function Editor(props: EditorProps) {
  const { label, isLabelHidden = false, description, error, required = false, readOnly = false } = props
  const id = useId()
  const [isLinkOpen, setLinkOpen] = useState(false)
  const editor = useFieldEditor(props, id, () => {
    // At once: the next key that is pressed belongs to the address already.
    flushSync(() => setLinkOpen(true))
  })

  return (
    <Input.Wrapper
      label={isLabelHidden ? undefined : label}
      labelElement="div"
      labelProps={{ onClick: () => editor.commands.focus() }}
      description={description}
      error={error}
      required={required}
    >
      <div className="editor" data-read-only={readOnly || undefined} data-error={Boolean(error) || undefined}>
        {!readOnly && <EditorToolbar editor={editor} label={label} isLinkOpen={isLinkOpen} onLinkOpen={setLinkOpen} />}
        {isLinkOpen && <LinkPanel editor={editor} onClose={() => setLinkOpen(false)} />}
        <InsideOf inside={props.inside}>
          <EditorContent editor={editor} className="editor-content" />
        </InsideOf>
        <div id={`${id}-leave`} className="visually-hidden">
          {KIT_TEXTS.editor.leave}
        </div>
      </div>
    </Input.Wrapper>
  )
}

function InsideOf({ inside, children }: { inside: EditorInside | undefined; children: ReactNode }) {
  if (!inside) return children
  return (
    <InsideContext value={inside}>
      <UploadDrawing value={inside.drawUpload}>{children}</UploadDrawing>
    </InsideContext>
  )
}

function useFieldEditor(props: EditorProps, id: string, openLink: () => void): TiptapEditor {
  const {
    value,
    onChange,
    label,
    readOnly = false,
    placeholder,
    autoFocus = false,
    required = false,
    error,
    onBlur,
  } = props
  const lastGiven = useRef(value)
  const { latest, handlers } = useEditorInside(props.inside)
  const extensions = useMemo(() => editorExtensions(placeholder), [placeholder])

  const pressKey = (event: KeyboardEvent) => {
    const isLinkKey = event.key === 'k' && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey
    if (!isLinkKey || readOnly) return false
    event.preventDefault()
    event.stopPropagation()
    openLink()
    return true
  }

  const editor = useEditor({
    extensions,
    content: contentOf(value),
    editable: !readOnly,
    autofocus: autoFocus ? 'end' : false,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    onUpdate: ({ editor: changed }) => {
      lastGiven.current = documentOf(changed)
      onChange(lastGiven.current)
    },
    onBlur: () => onBlur?.(),
    editorProps: {
      ...handlers,
      handleKeyDown: (_view, event) => pressKey(event),
      attributes: {
        class: 'document',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-readonly': String(readOnly),
        'aria-required': String(required),
        'aria-invalid': String(Boolean(error)),
        ...(!readOnly && { 'aria-describedby': `${id}-leave` }),
      },
    },
  })

  useUploadsOf(editor, props.inside, latest)

  useEffect(() => {
    if (value === lastGiven.current) return
    lastGiven.current = value
    // Comes from outside: it is no change of this person's, and undo must not bring the other text back.
    editor.chain().setMeta('addToHistory', false).setContent(contentOf(value), { emitUpdate: false }).run()
  }, [editor, value])

  useEffect(() => {
    editor.setEditable(!readOnly, false)
  }, [editor, readOnly])

  return editor
}
