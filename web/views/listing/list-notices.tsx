import { useEffect, useState } from 'react'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import type { ListingRows } from './use-listing-rows.ts'
import './list-notices.css'

/** After this long, in ms, whoever waits is told that it takes longer than it should. */
const SLOW_AFTER_MS = 1000

/** What a list says about itself beside its rows: that it is slow, or that it may be out of date. */
export function ListNotices({ lines }: { readonly lines: ListingRows }) {
  const { isStale, retry, source } = lines
  // Whoever cannot reach the server is told so by the page already.
  const isReachable = useIsReachable()
  const isWaiting = source.kind === 'page' && source.loadingRows !== undefined
  return (
    <>
      <SlowNotice isWaiting={isWaiting && lines.error === null} />
      {isStale && isReachable && (
        <div role="alert" className="grid-failure">
          <Say
            text="Couldn’t refresh this list. It may be out of date.<button>Try again</button>"
            parts={{
              button: (inner) => (
                <button type="button" className="grid-text-button" onClick={retry}>
                  {inner}
                </button>
              ),
            }}
          />
        </div>
      )}
    </>
  )
}

/** Says that an answer takes its time, over what will be there, so that nothing moves. */
export function SlowNotice({ isWaiting }: { readonly isWaiting: boolean }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isWaiting])
  return (
    <p role="status" className="list-slow">
      {isSlow && <span>{t('Still loading: the server is slow to respond.')}</span>}
    </p>
  )
}
