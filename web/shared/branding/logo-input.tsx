import { Button, FileButton, Input } from '@mantine/core'
import { useId, useState } from 'react'
import { t } from '#web/i18n/t.ts'
import { drawLogo } from './draw-logo.ts'
import './logo-input.css'

type LogoInputProps = {
  /** URL of the current logo. */
  readonly logo: string | null
  /** Given as a small PNG; null removes it. */
  readonly onChange: (logo: Blob | null) => void
  readonly isBusy?: boolean
}

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/svg+xml'

export function LogoInput({ logo, onChange, isBusy = false }: LogoInputProps) {
  const [isUnreadable, setUnreadable] = useState(false)
  const labelId = useId()
  const choose = async (file: File | null) => {
    if (!file) return
    const drawn = await drawLogo(file)
    setUnreadable(drawn === undefined)
    if (drawn) onChange(drawn)
  }
  return (
    <Input.Wrapper
      label={t('Logo')}
      labelElement="div"
      labelProps={{ id: labelId }}
      description={t('PNG, JPEG, WebP or SVG. A square icon works best at small sizes.')}
      error={isUnreadable && t('This file can’t be opened as an image. Choose another one.')}
    >
      <div className="logo-input" role="group" aria-labelledby={labelId}>
        {logo !== null && <img src={logo} alt={t('Current logo')} width={40} height={40} />}
        <FileButton accept={ACCEPTED} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} loading={isBusy}>
              {logo === null ? t('Choose logo') : t('Replace')}
            </Button>
          )}
        </FileButton>
        {logo !== null && (
          <Button variant="subtle" disabled={isBusy} onClick={() => onChange(null)}>
            {t('Remove')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}
