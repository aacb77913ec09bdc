type SaveForm = { readonly name: string; readonly value: string }

/**
 * Starts a download by submitting a form, so that the file isn't loaded into memory. `onRefused` is called if the
 * server responds with a page instead of a file.
 */
export function downloadByForm(address: string, { form, onRefused }: { form?: SaveForm; onRefused: () => void }): void {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.name = `save-${crypto.randomUUID?.() ?? Date.now()}`
  document.body.append(frame)
  // `load` doesn't fire for a download. The frame isn't removed, because this would cancel the download.
  frame.addEventListener('load', () => {
    frame.remove()
    onRefused()
  })
  if (form) sendForm(address, frame.name, form)
  else frame.src = address
}

function sendForm(address: string, target: string, { name, value }: SaveForm): void {
  const form = document.createElement('form')
  const part = document.createElement('input')
  Object.assign(form, { method: 'post', action: address, target, hidden: true })
  Object.assign(part, { type: 'hidden', name, value })
  form.append(part)
  document.body.append(form)
  form.submit()
  form.remove()
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
