import { useEffect, useMemo, useRef, useState } from 'react'
import type { FileBody, DocumentReferencesBody } from '#api/records.ts'
import { usesThumbnail, previewOf } from '#domain/assets/preview.ts'
import type { DocumentEmbeds, EmbeddedFile, MentionIds } from '#web/ui/document/embed-context.ts'
import { formatBytes } from '#web/ui/text/format-bytes.ts'
import { recordPath } from '#web/shared/navigation/paths.ts'
import { downloadUrl, thumbnailUrl } from '#web/shared/files/file-urls.ts'
import { openFilePreview, useVisibleFiles } from '#web/shared/files/visible-files.ts'

const NOTHING: DocumentReferencesBody = { files: {}, people: {}, records: {} }

/** Wide enough for a page of text, by the contract's widths. */
const SMALLER_PX = 1600

/** What is known of the ids in a document, and more as it becomes known. */
export type KnownEmbeds = {
  readonly inside: DocumentEmbeds
  readonly addFiles: (files: readonly FileBody[]) => void
  readonly addName: (mention: MentionIds, name: string) => void
}

/**
 * What the ids in a document mean here. What was known once stays known while the field is open: a picture that was cut out can
 * be pasted again, and undo can bring it back.
 */
export function useEmbeds(told: DocumentReferencesBody | undefined, label: string): KnownEmbeds {
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
