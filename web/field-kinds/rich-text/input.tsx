import { useEffect, useMemo, useRef, useState } from 'react'
import { documentOfText } from '#domain/rich-text/plain-text.ts'
import { type DocumentEmbeds, EmbedContext, type EmbeddedFile, type MentionIds } from '#web/ui/document/embeds.tsx'
import type { EditorEmbeds, FoundMentions, UploadResult } from '#web/ui/editor/embeds/editor-embeds.ts'
import { DocumentFrame, LazyEditor } from '#web/ui/editor/lazy-editor.tsx'
import { createEmitter, useStore } from '#web/ui/store.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { inputFrameProps, textInputProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { listPeople } from '#api/users.ts'
import { searchEverything } from '#api/search.ts'
import { call } from '#web/data/api/call.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import type { DocumentReferencesBody, FileBody } from '#api/records.ts'
import { previewOf, usesThumbnail } from '#domain/assets/preview.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { recordPath } from '#web/shared/navigation/app-link.tsx'
import { downloadUrl, thumbnailUrl } from '#web/shared/files/download-files.ts'
import { openFilePreview, useVisibleFiles } from '#web/shared/files/visible-files.ts'
import type { Field } from '#domain/fields/field.ts'
import { fileOptionsOf } from '#domain/fields/files.ts'
import { blockOfFile } from '#web/data/uploads/attach-files.ts'
import { targetKey, type UploadedFile, type UploadJob, type UploadPlace } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { filesOfDrop, filesOfInput } from '#web/shared/uploads/selected-files.ts'
import { acceptFiles } from '#web/shared/uploads/accept-files.ts'
import { UploadList, UploadRow } from '#web/shared/uploads/upload-list.tsx'
import { uploadedFile } from '#web/shared/uploads/upload-status.ts'

type Uploading = Pick<EditorEmbeds, 'send' | 'drawUpload' | 'giveUp' | 'follow'>

let made = 0

const endOf = (file: UploadedFile): UploadResult => ({
  mark: file.mark ?? undefined,
  arrived: { file: file.id, isPicture: blockOfFile(file).type === 'image' },
})

/** Uploads in an open document. `others` were started before a reload and have no placeholder. */
function useDocumentUploads(
  field: Field<'rich-text'>,
  target: UploadPlace & { readonly isWritten: boolean },
  onArrived: (files: readonly FileBody[]) => void,
): { readonly uploading: Uploading; readonly others: readonly UploadJob[] } {
  const { isWritten, ...rest } = target
  const place = { ...rest, isDocument: true }
  const key = targetKey(place)
  const shown = useStore(uploads)
  const jobs = useMemo(() => shown.jobs.filter((job) => targetKey(job.place) === key), [shown, key])
  const latest = useRef({ field, place, onArrived })
  useEffect(() => {
    latest.current = { field, place, onArrived }
  })
  const [ends] = useState(() => createEmitter<UploadResult>({ isBuffered: true }))
  useEffect(() => {
    // In a read-only view, finished uploads stay in the queue.
    if (!isWritten) return undefined
    const { place: open } = latest.current
    const stop = uploads.take(open, (arrived) => {
      latest.current.onArrived(arrived.map(uploadedFile))
      for (const file of arrived) ends.emit(endOf(file))
    })
    return () => {
      stop()
      if (open.record === undefined) uploads.closeForm(open)
    }
  }, [key, ends, isWritten])
  // Removes the placeholders of canceled uploads.
  const marks = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const now = new Set(jobs.flatMap(({ mark }) => mark ?? []))
    for (const mark of marks.current) if (!now.has(mark)) ends.emit({ mark, arrived: undefined })
    marks.current = now
  }, [jobs, ends])

  const uploading = useMemo<Uploading>(
    () => ({
      follow: ends.subscribe,
      send: (given) => send(latest.current.field, latest.current.place, given),
      giveUp: (mark) => uploads.cancel(uploads.get().jobs.flatMap((job) => (job.mark === mark ? job.id : []))),
      drawUpload: (mark) => {
        const job = jobs.find((each) => each.mark === mark)
        return (
          <ul className="upload-list" contentEditable={false}>
            {job && <UploadRow job={job} />}
          </ul>
        )
      },
    }),
    [jobs, ends],
  )
  return { uploading, others: jobs.filter(({ mark }) => mark === null) }
}

async function send(
  field: Field<'rich-text'>,
  place: UploadPlace,
  given: Parameters<Uploading['send']>[0],
): Promise<readonly string[]> {
  const picked = given instanceof DataTransfer ? await filesOfDrop(given) : filesOfInput(given)
  const { taken, refusal } = acceptFiles(picked, fileOptionsOf(field), Number.POSITIVE_INFINITY)
  if (refusal !== undefined) notify.error(t('Couldn’t add files to the text'), { detail: refusal })
  if (taken.length > 0 && !(await uploads.isReady())) {
    notify.error(t('Couldn’t add files to the text'), { detail: t('Can’t reach the server. Try again later.') })
    return []
  }
  const marked = taken.map((each) => ({ ...each, mark: `file-${(made += 1)}` }))
  if (marked.length > 0) uploads.add(place, marked)
  return marked.map(({ mark }) => mark)
}

const NOTHING: DocumentReferencesBody = { files: {}, people: {}, records: {} }

/** Thumbnail width in px that covers the text column; one of the widths that the API supports. */
const SMALLER_PX = 1600

type KnownEmbeds = {
  readonly inside: DocumentEmbeds
  readonly addFiles: (files: readonly FileBody[]) => void
  readonly addName: (mention: MentionIds, name: string) => void
}

/** References resolved while the field is open, so that a cut image can be pasted again. */
function useEmbeds(reported: DocumentReferencesBody | undefined, label: string): KnownEmbeds {
  const [added, setAdded] = useState(NOTHING)
  const [seen, setSeen] = useState(reported ?? NOTHING)
  const before = useRef(reported)
  useEffect(() => {
    if (reported === undefined || reported === before.current) return
    before.current = reported
    setSeen((known) => joined(known, reported))
  }, [reported])
  // Prefers the server's references, because their URLs and names are newer.
  const all = useMemo(() => joined(joined(added, seen), reported ?? NOTHING), [added, seen, reported])
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
  // A newly uploaded file is displayed from its local copy.
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

/** Maximum number of users, and of records per collection, in the results. */
const MAX_PEOPLE = 50
const MAX_RECORDS = 20

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
  const hits = found.groups.flatMap(({ collection, items }) => items.map((item) => ({ ...item, collection })))
  // Matches in titles come first: the typed name may already be saved in the text of this record.
  const isNamed = ({ titleMarks }: (typeof hits)[number]): boolean => titleMarks.length > 0
  const choices = [...hits.filter(isNamed), ...hits.filter((hit) => !isNamed(hit))].map(
    ({ id, title, collection }) => ({
      mention: { kind: 'record', id, collection: collection.id } as const,
      name: title === '' ? UNTITLED : title,
      detail: collection.label,
    }),
  )
  return { choices, isCut: !found.isComplete || found.groups.some(({ hasMore }) => hasMore) }
}

/** The editor is loaded as a separate chunk; read-only views never load it. */
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
    detail: t('A file can be used in only one rich text field. Download it, then drop it here to add a copy.'),
  })
