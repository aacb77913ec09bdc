import { CloseButton, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { foldText } from '#domain/shared/text.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import { plural, t } from '#web/i18n/t.ts'

/** With fewer collections no filter is shown. */
const SHOWN_FROM = 16

type Filter = ReturnType<typeof useSidebarFilter>

export function useSidebarFilter(collections: readonly CollectionBody[]) {
  const [text, setText] = useState('')
  const isShown = collections.length >= SHOWN_FROM
  const wanted = isShown ? foldText(text.trim()) : ''
  const isNarrowed = wanted !== ''
  const holds = ({ label, group }: CollectionBody): boolean =>
    foldText(label).includes(wanted) || (group !== undefined && foldText(group).includes(wanted))
  return { text, setText, isShown, isNarrowed, found: isNarrowed ? collections.filter(holds) : collections }
}

/** Enter opens the first match, Escape clears. */
export function SidebarFilter({ filter }: { readonly filter: Filter }) {
  const { text, setText, isShown, isNarrowed, found } = filter
  const navigate = useNavigate()
  if (!isShown) return null
  const [first] = found
  return (
    <div className="sidebar-filter">
      <TextInput
        size="xs"
        type="search"
        role="searchbox"
        aria-label={t('Find a collection')}
        placeholder={t('Find a collection')}
        value={text}
        leftSection={<IconSearch size={14} stroke={1.5} aria-hidden />}
        rightSection={
          text !== '' && <CloseButton size="xs" aria-label={t('Show all collections')} onClick={() => setText('')} />
        }
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            setText('')
          }
          if (event.key !== 'Enter' || !isNarrowed || !first) return
          void navigate({ to: '/collections/$collection', params: { collection: first.name } })
          setText('')
        }}
      />
      <span role="status" className="visually-hidden">
        {isNarrowed && plural(found.length, '{n} collection found', '{n} collections found')}
      </span>
      {isNarrowed && found.length === 0 && <p className="collection-sidebar-none">{t('No collections found')}</p>}
    </div>
  )
}
