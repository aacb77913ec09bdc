import { type Editor as TiptapEditor, type JSONContent, useEditor } from '@tiptap/react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  type DocumentAttrs,
  type DocumentNode,
  isUploadingId,
  type RichTextDocument,
  WHOLE_WIDTH,
} from '#web/ui/document/embeds.tsx'
import { type EditorEmbeds, endUpload } from './embeds/editor-embeds.ts'
import { editorExtensions } from './extensions.ts'

import type { SuggestionStore } from './suggestions/suggestions.ts'
import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { LOCALE } from '#web/i18n/locale.ts'

/** Attributes that say nothing when they have this value; the server leaves them out too. */
const SILENT: Readonly<Record<string, unknown>> = {
  indent: 0,
  start: 1,
  checked: false,
  language: '',
  colspan: 1,
  rowspan: 1,
  alt: '',
  width: WHOLE_WIDTH,
}

function compactAttrs(attrs: DocumentAttrs): DocumentAttrs | undefined {
  const telling = Object.entries(attrs).filter(([name, value]) => value !== null && SILENT[name] !== value)
  return telling.length > 0 ? Object.fromEntries(telling) : undefined
}

/**
 * A document without the attributes that only repeat their default: written as the server stores it, so that what was
 * saved and what is edited are equal when nothing was changed.
 */
export function compactDocument(document: RichTextDocument): RichTextDocument {
  return { ...compactNode(document), type: 'doc' }
}

const EMPTY_LINE: DocumentNode = { type: 'paragraph' }

/** Files on their way are no part of what is kept. What may not be left with nothing in it keeps an empty line. */
function keptContent(content: readonly DocumentNode[], isWhole: boolean): readonly DocumentNode[] {
  const kept = content.filter((node) => !isUploadingId(node.attrs?.['file']))
  return kept.length === 0 && content.length > 0 && !isWhole ? [EMPTY_LINE] : kept
}

function compactNode({ attrs, content: given = [], ...rest }: DocumentNode): DocumentNode {
  const kept = attrs && compactAttrs(attrs)
  const content = keptContent(given, rest.type === 'doc')
  return {
    ...rest,
    ...(kept && { attrs: kept }),
    ...(content.length > 0 && { content: content.map(compactNode) }),
  }
}

/** Whether a document has nothing in it, so that the field counts as empty. */
function isEmptyDocument(document: RichTextDocument): boolean {
  const [first, ...more] = document.content ?? []
  return more.length === 0 && (!first || (first.type === 'paragraph' && !first.content?.length && !first.attrs))
}

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

/** How long a text is. */
type TextLength = { readonly words: number; readonly characters: number }

/** Counted again this long after the last change: nobody reads the number while they type. */
const REST_MS = 500

/** Words as the language at hand divides them, and characters as people see them, without the ends of lines. */
export function lengthOf(text: string): TextLength {
  const words = [...new Intl.Segmenter(LOCALE, { granularity: 'word' }).segment(text)]
  return {
    words: words.filter(({ isWordLike }) => isWordLike).length,
    characters: [...text.replaceAll('\n', '')].length,
  }
}

/** The lengths of lines that were counted before: a line that was not touched is the same node. */
const counted = new WeakMap<Node, TextLength>()

function lengthOfLine(line: Node): TextLength {
  const length = counted.get(line) ?? lengthOf(line.textBetween(0, line.content.size, undefined, '\n'))
  counted.set(line, length)
  return length
}

function lengthOfAll(doc: Node): TextLength {
  let [words, characters] = [0, 0]
  doc.descendants((node) => {
    if (!node.isTextblock) return true
    const length = lengthOfLine(node)
    words += length.words
    characters += length.characters
    return false
  })
  return { words, characters }
}

/** The length of what is in the editor, counted when the typing rests. */
export function useTextLength(editor: Editor): TextLength {
  const [length, setLength] = useState<TextLength>({ words: 0, characters: 0 })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => setLength(lengthOfAll(editor.state.doc))
    const countLater = () => {
      clearTimeout(timer)
      timer = setTimeout(count, REST_MS)
    }
    countLater()
    editor.on('update', countLater)
    return () => {
      clearTimeout(timer)
      editor.off('update', countLater)
    }
  }, [editor])
  return length
}
