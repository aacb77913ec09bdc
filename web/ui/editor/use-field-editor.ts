import { type JSONContent, type Editor as TiptapEditor, useEditor } from '@tiptap/react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { RichTextDocument } from '#web/ui/document/document-node.ts'
import { compactDocument, isEmptyDocument } from './compact-document.ts'
import type { EditorEmbeds } from './embeds/editor-embeds.ts'
import { editorExtensions } from './extensions.ts'
import { endUpload } from './embeds/file-commands.ts'
import type { SuggestionStore } from './suggestions/suggestions.ts'

/** A rich-text field. */
export type EditorProps = {
  /** The document, or null for an empty field. A value other than the last one given to `onChange` replaces it. */
  readonly value: RichTextDocument | null
  /** Called after each change, with null once nothing is left. */
  readonly onChange: (value: RichTextDocument | null) => void
  /** The name of the field, shown above it. */
  readonly label: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly onBlur?: () => void
  /** What stands inside the document, and how files and mentions come into it; without it there are none. */
  readonly inside?: EditorEmbeds | undefined
}

/** In pixels: the caret never goes behind the tools above the text, nor to the very edge below. */
const SCROLL_MARGIN = { top: 90, right: 0, bottom: 32, left: 0 }

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

/** Tiptap's editor over the value of a field: changes go out at once, and what comes from outside replaces the text. */
export function useFieldEditor(props: EditorProps, id: string, suggestions: SuggestionStore): TiptapEditor {
  const { value, onChange, label, placeholder, autoFocus = false, required = false, error, onBlur } = props
  const lastGiven = useRef(value)
  const inside = useRef(props.inside)
  useLayoutEffect(() => {
    inside.current = props.inside
  })
  const extensions = useMemo(
    () => editorExtensions({ placeholder, suggestions, insideNow: () => inside.current }),
    [placeholder, suggestions],
  )

  const editor = useEditor({
    extensions,
    content: contentOf(value),
    autofocus: autoFocus ? 'end' : false,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    onUpdate: ({ editor: changed }) => {
      lastGiven.current = documentOf(changed)
      onChange(lastGiven.current)
    },
    onBlur: () => onBlur?.(),
    editorProps: {
      scrollThreshold: SCROLL_MARGIN,
      scrollMargin: SCROLL_MARGIN,
      attributes: {
        class: 'document',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-required': String(required),
        'aria-invalid': String(Boolean(error)),
        'aria-describedby': `${id}-leave`,
      },
    },
  })

  const follow = props.inside?.follow
  useEffect(() => follow?.((end) => endUpload(editor, end)), [editor, follow])

  useEffect(() => {
    if (value === lastGiven.current) return
    lastGiven.current = value
    // Comes from outside: it is no change of this person's, and undo must not bring the other text back.
    editor.chain().setMeta('addToHistory', false).setContent(contentOf(value), { emitUpdate: false }).run()
  }, [editor, value])

  return editor
}
