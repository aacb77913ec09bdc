import { Loader } from '@mantine/core'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { t } from '#web/i18n/t.ts'
import { BrandMark } from '#web/pages/guest/brand-mark.tsx'
import './splash.css'

/** Shown while the session status or a page loads. */
export function Splash() {
  const isReachable = useIsReachable()
  return (
    <div className="splash" role="status">
      <BrandMark sizePx={40} />
      {isReachable ? (
        <Loader size="sm" type="dots" color="gray" aria-label={t('Loading…')} />
      ) : (
        <p>{t('Waiting for the server. You’ll stay signed in.')}</p>
      )}
    </div>
  )
}
