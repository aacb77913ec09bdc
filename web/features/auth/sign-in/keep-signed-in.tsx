import { useId } from 'react'
import { t } from '#web/i18n/t.ts'
import './keep-signed-in.css'

type KeepSignedInProps = { readonly isKept: boolean; readonly onChange: (isKept: boolean) => void }

/** A native checkbox, because Mantine's would be a fortieth of the bundle before sign-in. */
export function KeepSignedIn({ isKept, onChange }: KeepSignedInProps) {
  const id = useId()
  return (
    <div className="keep-signed-in">
      <input
        id={id}
        type="checkbox"
        checked={isKept}
        aria-describedby={isKept ? undefined : `${id}-otherwise`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label htmlFor={id}>{t('Keep me signed in on this device')}</label>
      {!isKept && <p id={`${id}-otherwise`}>{t('You’ll be signed out when the browser closes, or after one day.')}</p>}
    </div>
  )
}
