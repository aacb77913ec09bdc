import { Button, FileButton, Input } from '@mantine/core'
import { useId, useState } from 'react'
import { t } from '#web/i18n/t.ts'
import './logo-input.css'

/** Length of the longer side in pixels. */
const LOGO_PX = 256

/**
 * Renders an image, including SVG, as a small PNG, so that the server receives only pixels. Browsers run no scripts and
 * load no resources for images. Undefined if the image can't be decoded.
 */
async function drawLogo(file: Blob): Promise<Blob | undefined> {
  const url = URL.createObjectURL(file)
  const drawn = await draw(url).then(
    (made) => made ?? undefined,
    () => undefined,
  )
  URL.revokeObjectURL(url)
  return drawn
}

async function draw(url: string): Promise<Blob | null> {
  const image = new Image()
  image.src = url
  await image.decode()
  // Vector images may have no intrinsic size.
  const [width, height] = [image.naturalWidth || LOGO_PX, image.naturalHeight || LOGO_PX]
  const scale = LOGO_PX / Math.max(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

type LogoInputProps = {
  /** URL of the current logo. */
  readonly logo: string | null
  /** Called with a small PNG; null removes the logo. */
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
