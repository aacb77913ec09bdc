import { documentOfText } from '#domain/rich-text/document-of-text.ts'
import { DocumentFrame } from '#web/kit/editor/document-frame.tsx'
import { LazyEditor } from '#web/kit/editor/lazy-editor.tsx'
import { framePropsOf, typedPropsOf } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'

/** A document with its tools; the editor comes in a chunk of its own, and for those who only read it never comes. */
export function RichTextInput(props: InputProps<'rich-text'>) {
  const document = typeof props.value === 'string' ? documentOfText(props.value) : props.value
  const frame = { ...framePropsOf(props), value: document }
  if (props.readOnly) return <DocumentFrame {...frame} />

  const { readOnly: _, ...typed } = typedPropsOf(props)
  return (
    <LazyEditor
      {...typed}
      value={document}
      onChange={props.onChange}
      meanwhile={<DocumentFrame {...frame} isComing />}
    />
  )
}
