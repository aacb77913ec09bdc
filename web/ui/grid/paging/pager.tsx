import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { TABLE } from '#domain/specification.ts'
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe } from '#web/ui/icons/general.ts'
import '../bars.css'
import {
  GRID_TEXTS_EN,
  type GridPage,
  type GridTexts,
  type GridTotal,
  hasNextPage,
  lastPage,
  rowsOfPage,
  typedPage,
  withPageSize,
} from '#web/ui/grid/grid-props.ts'

export type PagerProps = {
  readonly at: GridPage
  readonly total: GridTotal
  /** Number of rows on the page; for "all", the total. */
  readonly rowsOnPage: number
  readonly onPage: (at: GridPage) => void
  readonly texts?: GridTexts
}

export function Pager({ at, total, rowsOnPage, onPage, texts = GRID_TEXTS_EN }: PagerProps) {
  const last = lastPage(at, total)
  const isFirst = at.page <= 1
  const isAll = at.pageSize === 'all'
  const hasMorePages = last === undefined || last > 1
  const hasNext = hasNextPage(at, total, rowsOnPage)
  const go = (page: number) => onPage({ ...at, page })
  const shown = isAll && total.is === 'exact' ? total.count : rowsOnPage
  const { first, last: lastRow } = rowsOfPage(at, shown)

  return (
    <nav aria-label={texts.pages} className="grid-pager">
      <NativeSelect
        size="xs"
        label={texts.perPage}
        className="grid-page-size"
        value={String(at.pageSize)}
        data={TABLE.pageSizes.map((size) => ({
          value: String(size),
          label: size === 'all' ? texts.all : String(size),
        }))}
        onChange={(event) => {
          const chosen = TABLE.pageSizes.find((size) => String(size) === event.currentTarget.value)
          if (chosen !== undefined) onPage(withPageSize(chosen))
        }}
      />
      {!isAll && hasMorePages && (
        <Button size="xs" variant="subtle" className="grid-show-all" onClick={() => onPage(withPageSize('all'))}>
          {total.is === 'exact' ? texts.showAll(total.count) : texts.all}
        </Button>
      )}
      <span className="grid-page-rows">{isAll ? texts.rowsInAll(total) : texts.rowsOf(first, lastRow, total)}</span>
      {!isAll && (
        <span className="grid-page-steps">
          <Step label={texts.firstPage} isDisabled={isFirst} icon={IconChevronLeftPipe} onStep={() => go(1)} />
          <Step label={texts.previousPage} isDisabled={isFirst} icon={IconChevronLeft} onStep={() => go(at.page - 1)} />
          <PageBox key={at.page} page={at.page} last={last} onGo={go} texts={texts} />
          <Step label={texts.nextPage} isDisabled={!hasNext} icon={IconChevronRight} onStep={() => go(at.page + 1)} />
          <Step
            label={texts.lastPage}
            isDisabled={last === undefined || !hasNext}
            icon={IconChevronRightPipe}
            onStep={() => go(last ?? at.page)}
          />
        </span>
      )}
    </nav>
  )
}

type StepProps = {
  readonly label: string
  readonly isDisabled: boolean
  readonly icon: typeof IconChevronLeft
  readonly onStep: () => void
}

/** Remains focusable when disabled, so that focus isn't lost on the last page. */
function Step({ label, isDisabled, icon: Icon, onStep }: StepProps) {
  return (
    <ActionIcon
      size="md"
      aria-label={label}
      aria-disabled={isDisabled}
      {...(isDisabled ? { 'data-disabled': true } : {})}
      onClick={() => {
        if (!isDisabled) onStep()
      }}
    >
      <Icon size={16} stroke={1.5} aria-hidden className="grid-page-icon" />
    </ActionIcon>
  )
}

type PageBoxProps = {
  readonly page: number
  readonly last: number | undefined
  readonly onGo: (page: number) => void
  readonly texts: GridTexts
}

/** A page number input; Enter applies the number, and an invalid number resets the input. */
function PageBox({ page, last, onGo, texts }: PageBoxProps) {
  const [typed, setTyped] = useState(String(page))
  const go = () => {
    const wanted = typedPage(typed, last)
    setTyped(String(wanted ?? page))
    if (wanted !== undefined && wanted !== page) onGo(wanted)
  }
  return (
    <span className="grid-page-box">
      <TextInput
        size="xs"
        inputMode="numeric"
        aria-label={texts.page}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') go()
          if (event.key === 'Escape') setTyped(String(page))
        }}
        onBlur={() => setTyped(String(page))}
      />
      <span>{texts.ofPages(last)}</span>
    </span>
  )
}
