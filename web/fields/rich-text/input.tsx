import { documentOfText } from '#domain/rich-text/document-of-text.ts'
import { LazyEditor } from '#web/kit/editor/lazy-editor.tsx'
import { typedPropsOf } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'

/** A document with the specification's tools; the editor comes in a chunk of its own. */
export function RichTextInput(props: InputProps<'rich-text'>) {
  const { value, onChange } = props
  return (
    <LazyEditor
      {...typedPropsOf(props)}
      value={typeof value === 'string' ? documentOfText(value) : value}
      onChange={onChange}
    />
  )
}
