import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#web/client/problem-text.ts'
import type { GridSelection } from '#web/kit/grid/selection.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { type BulkWords, records, runBulk, showEnd, showProgress } from './follow-bulk.ts'
import type { Listing } from './record-list-queries.ts'
import { refresh, whereOf } from './use-delete-matching.ts'

/** Where selected records are to go, and why. */
export type Destination = { readonly to: string; readonly note?: string }

/** Moves what is selected, all or none; what is too much for one go is moved by the server bit by bit, and can be stopped. */
export function useMoveSelected(collection: string) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)

  const move = async (listing: Listing, selection: GridSelection, { to, note }: Destination): Promise<void> => {
    const id = `move-${crypto.randomUUID()}`
    const words = wordsFor(to, selection)
    const transition = { to, ...(note !== undefined && note.trim() !== '' && { note }) }
    setBusy(true)
    await runBulk(collection, { where: whereSelected(listing, selection), transition }, (job) =>
      showProgress(id, words, job),
    ).then(
      (end) => showEnd(id, words, end),
      (error: unknown) => {
        const { title, detail } = failureText(error)
        notify.error(title, { id, detail })
      },
    )
    setBusy(false)
    await refresh(queryClient, collection)
  }
  return { move, isBusy }
}

/** Those that are picked, or all of the list but those that are not. */
function whereSelected(listing: Listing, selection: GridSelection) {
  if (selection.mode !== 'these') return whereOf({ listing, except: selection.ids })
  return { filter: { field: 'id', op: 'in' as const, value: [...selection.ids] } }
}

function wordsFor(to: string, selection: GridSelection): BulkWords {
  const picked = selection.mode === 'these' ? selection.ids.size : undefined
  return {
    doing: 'Moving',
    done: (count) => {
      const moved = `Moved ${records(count)} to ${to}`
      if (picked === undefined || count >= picked) return moved
      return `${moved}. ${records(picked - count)} cannot go there from where they are`
    },
    couldNotStop: 'The move could not be stopped',
  }
}
