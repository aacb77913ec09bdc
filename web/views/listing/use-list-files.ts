import { useMemo } from 'react'
import { type FilesGroup, type FilesSource, useFilesSource } from '#web/shared/files/visible-files.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import type { GridSource } from '#web/ui/grid/grid-source.ts'
import type { RecordRow } from '#web/shared/cell-editing/record-row.ts'

/** Puts the files of a page's records in sight: one that is looked at is followed as its list changes, or found by an address. */
export function useListFiles(collection: TypedCollection, source: GridSource<RecordRow>): void {
  const files = useMemo<FilesSource>(() => {
    const groups = () => groupsOf(collection, source)
    return {
      holding: (file) => groups().find((group) => group.files.some(({ id }) => id === file)),
      named: (key) => groups().find((group) => group.key === key),
    }
  }, [collection, source])
  useFilesSource(files)
}

const groupsOf = (collection: TypedCollection, source: GridSource<RecordRow>): readonly FilesGroup[] =>
  (source.kind === 'page' ? source.rows : []).flatMap(({ record }) =>
    collection.fields
      .filter(({ kind }) => kind === 'files')
      .map((field) => ({
        key: `${record.id} ${field.id}`,
        files: toClientValue('files', record.values[field.name]),
        place: `${field.label}, ${recordTitle(collection, record)}`,
      })),
  )
