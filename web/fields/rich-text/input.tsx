import { useMemo } from 'react'
import { documentOfText } from '#domain/rich-text/document-of-text.ts'
import type { EditorInside } from '#web/kit/editor/editor-inside.ts'
import { LazyEditor } from '#web/kit/editor/lazy-editor.tsx'
import { notify } from '#web/kit/toast/notify.ts'
import { UploadList } from '../files/upload-list.tsx'
import { typedPropsOf } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'
import { searchMentions } from './search-mentions.ts'
import { useDocumentUploads } from './use-document-uploads.tsx'
import { useInside } from './use-inside.ts'

/** A document with the specification's tools; the editor comes in a chunk of its own. */
export function RichTextInput(props: InputProps<'rich-text'>) {
  const { field, value, onChange, place, label } = props
  const { inside: known, addFiles, addName } = useInside(props.inside, label)
  const { uploading, others } = useDocumentUploads(field, { ...place, field: field.name, label }, addFiles)
  const inside = useMemo<EditorInside>(
    () => ({
      ...known,
      ...uploading,
      search: searchMentions,
      mentioned: ({ mention, name }) => addName(mention, name),
      onStrange: tellStrangers,
    }),
    [known, uploading, addName],
  )
  return (
    <>
      <LazyEditor
        {...typedPropsOf(props)}
        value={typeof value === 'string' ? documentOfText(value) : value}
        onChange={onChange}
        inside={inside}
      />
      <UploadList jobs={others} label={label} />
    </>
  )
}

const tellStrangers = (count: number): void =>
  void notify.info(count === 1 ? 'A file was left out' : `${count} files were left out`, {
    id: 'strange-files',
    detail: 'A file stands in one text alone. Save it from there and drop it here.',
  })
