/** A form that asks for a file: the one part it has, and what stands in it. */
type SaveForm = { readonly name: string; readonly value: string }

/**
 * Has the browser fetch an address by itself and keep what comes as a file, as it keeps any download: nothing of it passes
 * through the memory of the page. `onRefused`: the server gave a page instead, in which it says no.
 */
export function downloadByForm(address: string, { form, onRefused }: { form?: SaveForm; onRefused: () => void }): void {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.name = `save-${crypto.randomUUID?.() ?? Date.now()}`
  document.body.append(frame)
  // A frame loads nothing where a file comes. It stays: taken away, it would take what is still on its way along.
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

/** Hands bytes over to the person as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
