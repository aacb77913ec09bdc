import { useEffect, useMemo, useRef, useState } from 'react'
import { documentOfText } from '#domain/rich-text/text-to-document.ts'
import {
  type DocumentEmbeds,
  EmbedContext,
  type EmbeddedFile,
  type MentionIds,
} from '#web/ui/document/embed-context.ts'
import { DocumentFrame } from '#web/ui/editor/document-frame.tsx'
import type { EditorEmbeds, FoundMentions } from '#web/ui/editor/embeds/editor-embeds.ts'
import { LazyEditor } from '#web/ui/editor/lazy-editor.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { UploadList } from '#web/shared/uploads/upload-list.tsx'
import { inputFrameProps, textInputProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/kind-props.ts'
import { useDocumentUploads } from './use-document-uploads.tsx'
import { listPeople } from '#api/people.ts'
import { searchEverything } from '#api/search.ts'
import { call } from '#web/data/api/call.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import type { DocumentReferencesBody, FileBody } from '#api/records.ts'
import { previewOf, usesThumbnail } from '#domain/assets/preview.ts'
import { formatBytes } from '#web/ui/text/format-bytes.ts'
import { recordPath } from '#web/shared/navigation/paths.ts'
import { downloadUrl, thumbnailUrl } from '#web/shared/files/file-urls.ts'
import { openFilePreview, useVisibleFiles } from '#web/shared/files/visible-files.ts'

const NOTHING: DocumentReferencesBody = { files: {}, people: {}, records: {} }

/** Wide enough for a page of text, by the contract's widths. */
const SMALLER_PX = 1600

/** What is known of the ids in a document, and more as it becomes known. */
type KnownEmbeds = {
  readonly inside: DocumentEmbeds
  readonly addFiles: (files: readonly FileBody[]) => void
  readonly addName: (mention: MentionIds, name: string) => void
}

/**
 * What the ids in a document mean here. What was known once stays known while the field is open: a picture that was cut out can
 * be pasted again, and undo can bring it back.
 */
function useEmbeds(told: DocumentReferencesBody | undefined, label: string): KnownEmbeds {
  const [added, setAdded] = useState(NOTHING)
  const [seen, setSeen] = useState(told ?? NOTHING)
  const before = useRef(told)
  useEffect(() => {
    if (told === undefined || told === before.current) return
    before.current = told
    setSeen((known) => joined(known, told))
  }, [told])
  // The server's word comes last: its addresses are newer, and its names are those of now.
  const all = useMemo(() => joined(joined(added, seen), told ?? NOTHING), [added, seen, told])
  const files = useMemo(() => Object.values(all.files), [all])
  const group = useVisibleFiles(files, label)
  const inside = useMemo<DocumentEmbeds>(
    () => ({
      fileOf: (id) => (all.files[id] ? embedFile(all.files[id]) : undefined),
      nameOf: ({ kind, id }) => (kind === 'user' ? all.people : all.records)[id],
      hrefOf: ({ kind, id, collection }) =>
        kind === 'record' && collection !== undefined && all.records[id] !== undefined
          ? recordPath(collection, id)
          : undefined,
      lookAt: (file) => openFilePreview(file, group),
    }),
    [all, group],
  )
  return useMemo(
    () => ({
      inside,
      addFiles: (more) =>
        setAdded((known) =>
          joined(known, { ...NOTHING, files: Object.fromEntries(more.map((file) => [file.id, file])) }),
        ),
      addName: ({ kind, id }, name) =>
        setAdded((known) => joined(known, { ...NOTHING, [kind === 'user' ? 'people' : 'records']: { [id]: name } })),
    }),
    [inside],
  )
}

const joined = (known: DocumentReferencesBody, newer: DocumentReferencesBody): DocumentReferencesBody => ({
  files: { ...known.files, ...newer.files },
  people: { ...known.people, ...newer.people },
  records: { ...known.records, ...newer.records },
})

function embedFile(file: FileBody): EmbeddedFile {
  const { name, bytes, width, height, url, thumbUrl } = file
  // Of what has just arrived this machine's own copy is shown.
  const isOwnCopy = url.startsWith('blob:')
  const isPicture = isOwnCopy ? thumbUrl !== null : previewOf(file) === 'picture'
  const src = !isOwnCopy && usesThumbnail(file) ? thumbnailUrl(url, SMALLER_PX) : url
  return {
    name,
    size: formatBytes(bytes),
    src: isPicture ? src : undefined,
    width,
    height,
    downloadHref: downloadUrl(url),
  }
}

/** Most people, and most records of each collection. */
const MAX_PEOPLE = 50
const MAX_RECORDS = 20

/** People by their names, and records by their words, as far as the author may see them. */
async function searchMentions(text: string, signal: AbortSignal): Promise<FoundMentions> {
  const [people, records] = await Promise.all([searchPeople(text, signal), searchRecords(text, signal)])
  return { choices: [...people.choices, ...records.choices], isCut: people.isCut || records.isCut }
}

async function searchPeople(text: string, signal: AbortSignal): Promise<FoundMentions> {
  const query = { page: 1, perPage: MAX_PEOPLE, ...(text.trim() !== '' && { search: text.trim() }) }
  const { items, hasMore } = await call(listPeople, { query, signal })
  return { choices: items.map(({ id, name }) => ({ mention: { kind: 'user', id }, name })), isCut: hasMore }
}

async function searchRecords(text: string, signal: AbortSignal): Promise<FoundMentions> {
  if (text.trim() === '') return { choices: [], isCut: false }
  const found = await call(searchEverything, { query: { q: text, limit: MAX_RECORDS }, signal })
  const choices = found.groups.flatMap(({ collection, items }) =>
    items.map(({ id, title }) => ({
      mention: { kind: 'record', id, collection: collection.id } as const,
      name: title === '' ? UNTITLED : title,
      detail: collection.label,
    })),
  )
  return { choices, isCut: !found.isComplete || found.groups.some(({ hasMore }) => hasMore) }
}

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
