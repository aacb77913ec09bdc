import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { recordPath } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type ListQuery, printListQuery } from '#web/features/list-toolbar/url/list-query-params.ts'
import type { OpenRow } from '#web/features/record-list/use-open-row.ts'

/** A zero-based position in a list. */
const ORDINAL = /^\d{1,9}$/

export const readOrdinal = (text: string | undefined): number | undefined =>
  text !== undefined && ORDINAL.test(text) ? Number(text) : undefined

type OpenParts = { readonly open: string; readonly at?: string }

const openParts = (id: string, ordinal: number | undefined): OpenParts => ({
  open: id,
  ...(ordinal !== undefined && { at: String(ordinal) }),
})

/** Opens, closes and steps through records in the side panel; its state is stored in the URL. */
export function useOpenRecord({ name: collection }: TypedCollection, query: ListQuery, base: ListQuery) {
  const { open = '', at } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  /** History index at which the record was opened; unset once going back would no longer lead to the same list page. */
  const openedAt = useRef<number | undefined>(undefined)
  const go = (parts: Partial<OpenParts>, to: { readonly page: number; readonly isStep: boolean }) =>
    navigate({
      to: '/collections/$collection',
      params: { collection },
      search: { ...printListQuery({ ...query, page: to.page }, base), ...parts },
      replace: !to.isStep,
    })

  // The record page doesn't use views, so its URL contains all differences from the defaults.
  const list = { ...query, page: 1, perPage: base.perPage }
  const listParts = { ...printListQuery(list), ...printListQuery(list, base) }
  const row: OpenRow | undefined = open === '' ? undefined : { id: open, at: readOrdinal(at) }
  return {
    row,
    open: (id: string, ordinal: number | undefined) =>
      void go(openParts(id, ordinal), { page: query.page, isStep: true }).then(() => {
        openedAt.current = history.location.state.__TSR_index
      }),
    /** Steps to another record, changing the list's page if necessary. Replaces the history entry. */
    walk: (id: string, ordinal: number) => {
      const page = query.perPage === 'all' ? 1 : Math.floor(ordinal / query.perPage) + 1
      if (page !== query.page) openedAt.current = undefined
      void go(openParts(id, ordinal), { page, isStep: false })
    },
    close: () => {
      const isJustOpened = openedAt.current === history.location.state.__TSR_index
      openedAt.current = undefined
      if (isJustOpened) history.back()
      else void go({}, { page: query.page, isStep: false })
    },
    /** The URL of the record page, including the list. */
    hrefOf: (id: string, ordinal: number | undefined) => {
      const parts = { ...listParts, ...(ordinal !== undefined && { at: String(ordinal) }) }
      const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined)
      const text = new URLSearchParams(given).toString()
      return `${recordPath(collection, id)}${text === '' ? '' : `?${text}`}`
    },
  }
}
