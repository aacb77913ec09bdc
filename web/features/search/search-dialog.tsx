import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { countOf } from '#web/fields/format-value.ts'
import { useKeyboardBack } from '#web/kit/dialog.tsx'
import { IconSearch } from '#web/kit/icons/icon-search.ts'
import { type FoundLine, foundSections, movedPlace } from './found-lines.ts'
import { FoundList } from './found-list.tsx'
import { everythingQuery } from './search-queries.ts'
import './search-dialog.css'

/** How long the typing rests before it is searched, in ms. */
const REST_MS = 180

type SearchDialogProps = { readonly isOpen: boolean; readonly onClose: () => void }

/** Searches every collection from anywhere, and leads to what is found. */
export function SearchDialog({ isOpen, onClose }: SearchDialogProps) {
  useKeyboardBack(isOpen)
  return (
    <Modal.Root opened={isOpen} onClose={onClose} padding={0} size={640} yOffset="10dvh" returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search everything">
        <Modal.Body>
          <SearchPanel onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Its own component, so that what was typed is gone when the dialog closes. */
function SearchPanel({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const words = useDebouncedValue(text.trim(), REST_MS)[0]
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(everythingQuery(words))
  const sections = useMemo(() => foundSections(data?.groups ?? [], words), [data, words])
  const lines = useMemo(() => sections.flatMap((section) => section.lines), [sections])
  const { place, setPlace, onKeyDown } = useChosenLine(lines, onClose)
  const listId = useId()
  const isWaiting = text.trim() !== words || (isFetching && (data === undefined || isPlaceholderData))

  return (
    <div className="search-panel">
      <div className="search-field">
        <IconSearch size={18} stroke={1.5} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded={lines.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={lines[place]?.id}
          placeholder="Search everything"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setPlace(0)
          }}
          onKeyDown={onKeyDown}
          data-autofocus
        />
        {isWaiting && text !== '' && <span className="search-waiting" aria-hidden />}
      </div>
      {error ? (
        <div className="search-words">
          <FailureNotice error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <>
          <FoundList id={listId} sections={sections} chosen={lines[place]?.id} onFollow={onClose} />
          <Situation
            state={stateOf({ text: text.trim(), words, isWaiting, count: lines.length })}
            words={words}
            count={lines.length}
            isComplete={data?.isComplete !== false}
          />
        </>
      )}
    </div>
  )
}

/** The line the keyboard stands on; Enter follows it. */
function useChosenLine(lines: readonly FoundLine[], onClose: () => void) {
  const [place, setPlace] = useState(0)
  const { history } = useRouter()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const moved = movedPlace(event.key, place, lines.length)
    if (moved !== undefined) {
      event.preventDefault()
      setPlace(moved)
      return
    }
    const line = lines[place]
    if (event.key !== 'Enter' || !line || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) return void window.open(line.href, '_blank', 'noopener')
    onClose()
    history.push(line.href)
  }
  return { place, setPlace, onKeyDown }
}

type State = 'nothing-asked' | 'waiting' | 'nothing-found' | 'found'

function stateOf({
  text,
  words,
  isWaiting,
  count,
}: {
  text: string
  words: string
  isWaiting: boolean
  count: number
}): State {
  if (text === '' || words === '') return text === '' ? 'nothing-asked' : 'waiting'
  if (count > 0) return 'found'
  return isWaiting ? 'waiting' : 'nothing-found'
}

type SituationProps = {
  readonly state: State
  readonly words: string
  readonly count: number
  readonly isComplete: boolean
}

/** What there is to say besides what was found; read aloud when the typing rests. */
function Situation(props: SituationProps) {
  const [said, setSaid] = useState('')
  const sentence = sentenceOf(props)
  const aloud = props.state === 'found' ? `${countOf(props.count, 'result', 'results')}. ${sentence}` : sentence
  useEffect(() => {
    const timer = setTimeout(() => setSaid(aloud), SAID_AFTER_MS)
    return () => clearTimeout(timer)
  }, [aloud])
  return (
    <>
      {sentence !== '' && props.state !== 'waiting' && <p className="search-words">{sentence}</p>}
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
    </>
  )
}

/** A screen reader would otherwise speak at every letter. */
const SAID_AFTER_MS = 400

function sentenceOf({ state, words, isComplete }: SituationProps): string {
  const rest = isComplete ? '' : ' Some collections took too long and were left out.'
  switch (state) {
    case 'nothing-asked':
      return 'Type words or parts of words; a record must hold all of them. “Quotes” keep words together.'
    case 'waiting':
      return 'Searching'
    case 'nothing-found':
      return `Nothing was found for “${words}”.${rest}`
    case 'found':
      return rest.trim()
  }
}
