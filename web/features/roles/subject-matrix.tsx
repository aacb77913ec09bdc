import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PERMISSIONS } from '#domain/access/permission.ts'
import type { PolicyBody } from '#api/roles.ts'
import { AccessMatrix } from './access-matrix.tsx'
import { CellPanel } from './cell-panel.tsx'
import { collectionLines, collectionOfLine } from './collection-lines.ts'
import {
  cellWords,
  type GrantPlace,
  type Source,
  sourcesAt,
  sourcesOf,
  type Subject,
  WORKSPACE_DOINGS,
} from './matrix.ts'
import { useGrantWords, useKnownCollections } from './use-words.ts'

type SubjectMatrixProps = { readonly subject: Subject; readonly allPolicies: readonly PolicyBody[] }

/** What a role or a policy adds up to: collection by collection, and in the workspace as a whole. */
export function SubjectMatrix({ subject, allPolicies }: SubjectMatrixProps) {
  const [place, setPlace] = useState<GrantPlace | null>(usePlaceInAddress())
  const collections = useKnownCollections()
  const wordsOf = useGrantWords()
  const sources = sourcesOf(subject.policies)
  const isFixed = subject.role?.isFixed ?? false
  return (
    <>
      <AccessMatrix
        label={`What ${subject.who} may do, collection by collection`}
        corner="Collection"
        lines={collectionLines({ sources, collections, wordsOf, isFixed })}
        onOpen={(line, permission) => setPlace({ permission, collection: collectionOfLine(line) })}
      />
      <WorkspaceLines sources={sources} isFixed={isFixed} onOpen={setPlace} />
      <CellPanel subject={subject} place={place} allPolicies={allPolicies} onClose={() => setPlace(null)} />
    </>
  )
}

/** The cell an address leads to: an explanation names what decides. */
function usePlaceInAddress(): GrantPlace | null {
  const { may, in: collection } = useSearch({ strict: false })
  const permission = PERMISSIONS.find((one) => one === may)
  return permission === undefined ? null : { permission, collection: collection ?? null }
}

type WorkspaceLinesProps = {
  readonly sources: readonly Source[]
  readonly isFixed: boolean
  readonly onOpen: (place: GrantPlace) => void
}

/** What is not about one collection. */
function WorkspaceLines({ sources, isFixed, onOpen }: WorkspaceLinesProps) {
  const words = useGrantWords()(null)
  return (
    <div className="workspace-rights">
      <h3>In the workspace as a whole</h3>
      <ul>
        {WORKSPACE_DOINGS.map(({ permission, head }) => {
          const isHeld = isFixed || cellWords(sourcesAt(sources, permission, null), null, words).reach !== 'none'
          const said = `${head}: ${isHeld ? 'yes' : 'no'}`
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
