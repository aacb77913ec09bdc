import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { PolicyBody } from '#api/roles.ts'
import type { GrantLabels } from '#domain/access/describe-grant.ts'
import { PERMISSIONS } from '#domain/access/permission.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { DisclosureNotice } from '#web/features/roles/grants/disclosure-notice.tsx'
import { type GrantDraft, inputOf } from '#web/features/roles/grants/grant-draft.ts'
import { useGrantLabels, useKnownCollections } from '#web/features/roles/grants/use-grant-labels.ts'
import { cellSearchParams } from '#web/features/roles/role-paths.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { AccessMatrix, type MatrixRow } from './access-matrix.tsx'
import { CellPanel } from './cell-panel.tsx'
import { CopyRowDialog } from './copy-row-dialog.tsx'
import { CellMenu, RowMenu, useQuickSave } from './matrix-menus.tsx'
import {
  describeCell,
  EVERY_COLLECTION,
  type GrantPlace,
  type Source,
  sourcesAt,
  sourcesOf,
  type Subject,
  WORKSPACE_ACTIONS,
} from './matrix.ts'

export const EVERYWHERE = '*'

const collectionOfRow = (key: string): string | null => (key === EVERYWHERE ? null : key)

type CollectionRowsProps = {
  readonly sources: readonly Source[]
  readonly collections: readonly TypedCollection[]
  readonly wordsOf: (collection: string | null) => GrantLabels
  readonly isFixed: boolean
}

/** One row for all collections, including future ones, followed by one row per collection. */
export function collectionRows({ sources, collections, wordsOf, isFixed }: CollectionRowsProps): readonly MatrixRow[] {
  const lineOf = (key: string, name: string, collection: string | null): MatrixRow => ({
    key,
    name,
    head: name,
    isFixed,
    cellOf: (permission) =>
      isFixed
        ? { coverage: 'all', text: t('all'), isInherited: false }
        : describeCell(sourcesAt(sources, permission, collection), collection, wordsOf(collection)),
  })
  return [
    { ...lineOf(EVERYWHERE, EVERY_COLLECTION.label, null), note: t('Including future collections') },
    ...collections.map(({ id, label }) => lineOf(id, label, id)),
  ]
}

type SubjectMatrixProps = {
  readonly subject: Subject
  readonly allPolicies: readonly PolicyBody[]
  /** Path of the page whose URL stores the open cell. */
  readonly page: string
}

export function SubjectMatrix(props: SubjectMatrixProps) {
  const { data: isKnown, error, refetch } = useQuery(collectionsQuery)
  if (!isKnown && error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (!isKnown) return <Skeleton height={240} role="img" aria-label={t('Loading')} />
  return <KnownSubjectMatrix {...props} />
}

function KnownSubjectMatrix({ subject, allPolicies, page }: SubjectMatrixProps) {
  const [place, setPlace] = useCellInUrl(page)
  const [initial, setInitial] = useState<Partial<GrantDraft>>()
  const [copied, setCopied] = useState<TypedCollection>()
  const quick = useQuickSave(allPolicies)
  const collections = useKnownCollections()
  const wordsOf = useGrantLabels()
  const sources = sourcesOf(subject.policies)
  const isFixed = subject.role?.isFixed ?? false
  const typedOf = (line: string) => collections.find(({ id }) => id === line) ?? EVERY_COLLECTION
  const mayCopy = (line: string) => line !== EVERYWHERE && collections.length > 1
  const copyRow = (line: string, takeFocus: () => void) => {
    takeFocus()
    setCopied(typedOf(line))
  }
  return (
    <>
      <AccessMatrix
        label={t('Permissions by collection: {who}', { who: subject.who })}
        corner={t('Collection')}
        lines={collectionRows({ sources, collections, wordsOf, isFixed })}
        cellMenu={(line, permission, takeFocus) => (
          <CellMenu
            subject={subject}
            place={{ permission, collection: collectionOfRow(line) }}
            collection={typedOf(line)}
            quick={quick}
            onForm={(part) => {
              takeFocus()
              setInitial(part)
              setPlace({ permission, collection: collectionOfRow(line) })
            }}
          />
        )}
        rowMenu={(line, takeFocus) => (
          <RowMenu
            subject={subject}
            collection={typedOf(line)}
            quick={quick}
            onCopy={mayCopy(line) ? () => copyRow(line, takeFocus) : undefined}
          />
        )}
      />
      {copied && (
        <CopyRowDialog
          subject={subject}
          from={copied}
          collections={collections}
          quick={quick}
          onClose={() => setCopied(undefined)}
        />
      )}
      <WorkspaceRows sources={sources} isFixed={isFixed} onOpen={setPlace} />
      <DisclosureNotice
        title={t('Hidden values can be inferred')}
        grants={sources.map(({ grant }) => inputOf(grant))}
      />
      <CellPanel
        subject={subject}
        place={isFixed ? null : place}
        allPolicies={allPolicies}
        initial={initial}
        onClose={() => {
          setInitial(undefined)
          setPlace(null)
        }}
      />
    </>
  )
}

/** Stores the open cell in the URL, so that access explanations can link to it. */
function useCellInUrl(page: string): readonly [GrantPlace | null, (place: GrantPlace | null) => void] {
  const { may, in: collection } = useSearch({ strict: false })
  const navigate = useNavigate()
  const permission = PERMISSIONS.find((one) => one === may)
  const setPlace = (place: GrantPlace | null) =>
    void navigate({ to: page, search: place ? cellSearchParams(place) : {}, replace: true, resetScroll: false })
  return [permission === undefined ? null : { permission, collection: collection ?? null }, setPlace]
}

type WorkspaceRowsProps = {
  readonly sources: readonly Source[]
  readonly isFixed: boolean
  readonly onOpen: (place: GrantPlace) => void
}

function WorkspaceRows({ sources, isFixed, onOpen }: WorkspaceRowsProps) {
  const words = useGrantLabels()(null)
  return (
    <div className="workspace-rights">
      <h3>{t('Workspace permissions')}</h3>
      <ul>
        {WORKSPACE_ACTIONS.map(({ permission, head }) => {
          const isHeld = isFixed || describeCell(sourcesAt(sources, permission, null), null, words).coverage !== 'none'
          const said = `${head}: ${isHeld ? t('yes') : t('no')}`
          return (
            <li key={permission}>
              {isFixed ? (
                <span className="matrix-cell" data-reach="all">
                  {said}
                </span>
              ) : (
                <button
                  type="button"
                  className="matrix-cell"
                  data-reach={isHeld ? 'all' : 'none'}
                  onClick={() => onOpen({ permission, collection: null })}
                >
                  {said}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
