import { useMemo } from 'react'
import { documentOfText } from '#domain/rich-text/text-to-document.ts'
import { EmbedContext } from '#web/ui/document/embed-context.ts'
import { DocumentFrame } from '#web/ui/editor/document-frame.tsx'
import type { EditorEmbeds } from '#web/ui/editor/embeds/editor-embeds.ts'
import { LazyEditor } from '#web/ui/editor/lazy-editor.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { UploadList } from '#web/shared/uploads/upload-list.tsx'
import { inputFrameProps, textInputProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/kind-props.ts'
import { searchMentions } from './search-mentions.ts'
import { useDocumentUploads } from './use-document-uploads.tsx'
import { useEmbeds } from './use-embeds.ts'

/** A document with its tools; the editor comes in a chunk of its own, and for those who only read it never comes. */
export function RichTextInput(props: InputProps<'rich-text'>) {
  const { field, place, label } = props
  const { inside: known, addFiles, addName } = useEmbeds(props.inside, label)
  const { uploading, others } = useDocumentUploads(
    field,
    { ...place, field: field.name, label, isWritten: props.readOnly !== true },
    addFiles,
  )
  const inside = useMemo<EditorEmbeds>(
    () => ({
      ...known,
      ...uploading,
      search: searchMentions,
      mentioned: ({ mention, name }) => addName(mention, name),
      onStrange: notifyForeignEmbeds,
    }),
    [known, uploading, addName],
  )
  const document = typeof props.value === 'string' ? documentOfText(props.value) : props.value
  const frame = { ...inputFrameProps(props), value: document }
  const { readOnly, ...typed } = textInputProps(props)
  return (
    <EmbedContext value={known}>
      {readOnly ? (
        <DocumentFrame {...frame} />
      ) : (
        <LazyEditor
          {...typed}
          value={document}
          onChange={props.onChange}
          inside={inside}
          meanwhile={<DocumentFrame {...frame} isComing />}
        />
      )}
      {!readOnly && <UploadList jobs={others} label={label} />}
    </EmbedContext>
  )
}

const notifyForeignEmbeds = (count: number): void =>
  void notify.info(plural(count, 'A file wasn’t added', '{n} files weren’t added'), {
    id: 'strange-files',
    detail: t('A file can belong to only one text. Download it and drop it here.'),
  })
