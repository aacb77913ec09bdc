/** A tick needs no options. */
export function CheckboxOptionsForm() {
  return null
}
